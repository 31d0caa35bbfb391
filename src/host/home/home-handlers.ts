import { ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import type { AwayReport } from './away.ts';
import type { LookPorts } from './find-local.ts';
import type { UseLocalDeps } from './use-local.ts';

type HomeMethods = Pick<Handlers, 'home.away' | 'home.seen' | 'setup.findLocal' | 'setup.useLocal'>;

export interface HomeDeps extends UseLocalDeps {
  readonly away: AwayReport;
  readonly ports: LookPorts;
}

export function createHomeHandlers(deps: HomeDeps): HomeMethods {
  const { away, ports } = deps;
  return {
    'home.away': () => ok(away.view()),
    'home.seen': () => {
      away.markSeen();
      return ok({});
    },
    // Loaded on demand to keep startup fast.
    'setup.findLocal': async () => {
      const { findLocal } = await import('./find-local.ts');
      return ok({ found: [...(await findLocal(ports))] });
    },
    'setup.useLocal': async (input) => (await import('./use-local.ts')).useLocal(deps, input),
  };
}

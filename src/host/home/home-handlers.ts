import { ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import type { AwayReport } from './away-report.ts';
import type { LookPorts } from './find-local.ts';
import type { FirstSteps } from './first-steps.ts';
import type { UseModelDeps } from './use-model.ts';

type HomeMethods = Pick<
  Handlers,
  | 'home.away'
  | 'home.seen'
  | 'setup.findLocal'
  | 'setup.useModel'
  | 'setup.firstSteps'
  | 'setup.hideFirstSteps'
>;

export interface HomeDeps extends UseModelDeps {
  readonly away: AwayReport;
  readonly steps: Pick<FirstSteps, 'view' | 'hide'>;
  readonly ports: LookPorts;
}

export function createHomeHandlers(deps: HomeDeps): HomeMethods {
  const { away, ports, steps } = deps;
  return {
    'home.away': () => ok(away.view()),
    'home.seen': () => {
      away.markSeen();
      return ok({});
    },
    'setup.firstSteps': () => ok(steps.view()),
    'setup.hideFirstSteps': () => {
      steps.hide();
      return ok({});
    },
    // Loaded on demand to keep startup fast.
    'setup.findLocal': async () => {
      const { findLocal } = await import('./find-local.ts');
      return ok({ found: [...(await findLocal(ports))] });
    },
    'setup.useModel': async (input) => (await import('./use-model.ts')).useModel(deps, input),
  };
}

import { ok } from '../../contract/result.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { awayView, markSeen } from './away.ts';

type HomeMethods = Pick<Handlers, 'home.away' | 'home.seen' | 'setup.findLocal' | 'setup.useLocal'>;

export function createHomeHandlers(
  context: HostContext,
  edit: Pick<Handlers, 'agents.setRuntime'>,
): HomeMethods {
  return {
    'home.away': () => ok(awayView(context)),
    'home.seen': () => {
      markSeen(context);
      return ok({});
    },
    // Loaded on demand to keep startup fast.
    'setup.findLocal': async () => {
      const { findLocal } = await import('./find-local.ts');
      return ok({ found: [...(await findLocal(context.ports))] });
    },
    'setup.useLocal': async (input) => (await import('./use-local.ts')).useLocal(context, edit, input),
  };
}

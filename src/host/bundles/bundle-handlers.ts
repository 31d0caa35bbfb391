import { appError } from '../../contract/errors.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { summaryOf } from '../agents/agent-handlers.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import { registerIdentity } from '../agents/register-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

// Export and import code is loaded on demand to keep startup fast.

type BundleMethods = Pick<
  Handlers,
  'agents.register' | 'bundles.export' | 'bundles.review' | 'bundles.import'
>;
async function register(context: HostContext, ref: string): Promise<Result<AgentSummary>> {
  const found = findAgent(context.agents, ref);
  if (!found.ok) return found;
  const { slug } = configInForce(found.value).puffo_core;
  if (slug !== '') return err(appError('conflict', `${found.value.id} has an identity already: ${slug}.`));
  const registered = await registerIdentity(context, found.value);
  return registered.ok ? ok(summaryOf(context, registered.value)) : registered;
}

export function createBundleHandlers(context: HostContext): BundleMethods {
  return {
    'agents.register': ({ agent }) => register(context, agent),
    'bundles.export': async (input) => (await import('./export-handler.ts')).exportAgent(context, input),
    'bundles.review': async (input) => {
      const { withSource } = await import('./import-all.ts');
      const { reviewSource } = await import('./review.ts');
      return withSource(context, input, ({ source, crypto, spare }) =>
        reviewSource(context, crypto, source, spare),
      );
    },
    'bundles.import': async (input) => {
      const { withSource, importAll } = await import('./import-all.ts');
      return withSource(context, input, (opened) => importAll(context, opened, input));
    },
  };
}

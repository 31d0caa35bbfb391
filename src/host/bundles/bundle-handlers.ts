import { fail } from '../../contract/fail.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { ExportDeps } from './export-agent.ts';
import type { ImportDeps } from './import-all.ts';
import type { ReviewDeps } from './review-import.ts';

// Export and import code is loaded on demand to keep startup fast.

type BundleMethods = Pick<
  Handlers,
  'agents.register' | 'bundles.export' | 'bundles.review' | 'bundles.import'
>;

export interface BundleHandlerDeps {
  readonly agents: AgentStore;
  register(agent: LoadedAgent): Promise<Result<LoadedAgent>>;
  summarize(agent: LoadedAgent): AgentSummary;
  readonly exports: ExportDeps;
  readonly imports: ImportDeps;
  readonly review: ReviewDeps;
}

export function createBundleHandlers(deps: BundleHandlerDeps): BundleMethods {
  const { agents, exports, imports, review } = deps;
  return {
    'agents.register': async ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { slug } = configInForce(found.value).puffo_core;
      if (slug !== '') {
        return err(fail('conflict', 'moving.identityExists', { id: found.value.id, slug }));
      }
      const registered = await deps.register(found.value);
      return registered.ok ? ok(deps.summarize(registered.value)) : registered;
    },
    'bundles.export': async (input) => (await import('./export-agent.ts')).exportAgent(exports, input),
    'bundles.review': async (input) => {
      const { withSource } = await import('./with-source.ts');
      const { reviewSource } = await import('./review-import.ts');
      return withSource(imports.source, input, (opened) => reviewSource(review, opened));
    },
    'bundles.import': async (input) => {
      const { withSource } = await import('./with-source.ts');
      const { importAll } = await import('./import-all.ts');
      return withSource(imports.source, input, (opened) => importAll(imports, opened, input));
    },
  };
}

/** Model lists of the providers, requested with the caller's key and cached for a short time. */
import type { ListedModelName } from '../../contract/agent-detail-methods.ts';
import { ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { Handlers } from '../dispatch.ts';
import { findModelTarget, type ModelTargetDeps } from './model-target.ts';

const keptMs = 600_000;
const mostKept = 50;

export interface ModelListsDeps extends ModelTargetDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

export function createModelListHandlers(deps: ModelListsDeps): Pick<Handlers, 'models.list'> {
  const kept = new Map<string, { readonly models: readonly ListedModelName[]; readonly at: number }>();
  return {
    'models.list': async (wish) => {
      const target = await findModelTarget(deps, wish);
      if (!target.ok) return target;
      const { provider, baseUrl } = target.value;
      const now = deps.clock.now();
      const whose = wish.agent !== undefined && deps.apiKeys.hasOwn(wish.agent) ? wish.agent : '';
      const place = JSON.stringify([provider, baseUrl, whose]);
      const known = kept.get(place);
      if (known && !wish.fresh && wish.apiKey === undefined && now - known.at < keptMs)
        return ok({ models: [...known.models], at: known.at });
      const { listModels } = await import('../../services/models/list-models.ts');
      const listed = await listModels(deps, target.value);
      if (!listed.ok) return listed;
      if (wish.apiKey === undefined) {
        const [oldest] = kept.keys();
        if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
        kept.set(place, { models: listed.value, at: now });
      }
      return ok({ models: [...listed.value], at: now });
    },
  };
}

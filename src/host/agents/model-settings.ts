import type { MethodParsed } from '../../contract/methods.ts';
import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { checkVersion } from '../edit-version.ts';
import { agentVersions, configInForce } from './agent-view.ts';
import { findAgent } from './find-agent.ts';

type Runtime = AgentConfig['runtime'];
type Patch = MethodParsed<'agents.setModel'>;

function priceOf(price: Patch['price']): Runtime['price'] | undefined {
  if (!price) return price;
  const { input, output, cacheRead, cacheWrite } = price;
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cache_read: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
  };
}

/** The update itself validates the values and reports key and line. */
export function setModel(agents: AgentStore, input: Patch): Result<LoadedAgent> {
  const found = findAgent(agents, input.agent);
  if (!found.ok) return found;
  const current = checkVersion(input.version, agentVersions(configInForce(found.value), '').limits);
  if (!current.ok) return current;
  const change = {
    context_window: input.contextWindow,
    max_output_tokens: input.maxOutputTokens,
    temperature: input.temperature,
    native_tools: input.nativeTools,
    price: priceOf(input.price),
  };
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return agents.update(found.value.id, { runtime: given });
}

/** Settings that describe the old model are cleared when the model changes. */
export function factsOfOldModel(before: Runtime, after: Runtime): Partial<Runtime> {
  const same = (['provider', 'model', 'base_url'] as const).every((key) => before[key] === after[key]);
  if (same) return {};
  return { context_window: null, max_output_tokens: null, native_tools: null, price: null };
}

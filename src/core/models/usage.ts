/** Adding up what responses used: each response once, and a total only as sure as its least sure part. */
import { type AssistantMessage, type Cost, noUsage, type Usage } from './messages.ts';

/** `cost` is null as soon as that of one part is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: a.totalTokens + b.totalTokens,
    cost: addCost(a, b),
  };
}

/** Nothing used costs nothing, whatever its price. */
function addCost(a: Usage, b: Usage): Cost | null {
  if (a.totalTokens === 0) return b.cost;
  if (b.totalTokens === 0) return a.cost;
  if (!a.cost || !b.cost) return null;
  return {
    input: a.cost.input + b.cost.input,
    output: a.cost.output + b.cost.output,
    cacheRead: a.cost.cacheRead + b.cost.cacheRead,
    cacheWrite: a.cost.cacheWrite + b.cost.cacheWrite,
    total: a.cost.total + b.cost.total,
  };
}

/** Of several messages with one response id (a retried save, a replayed turn) only the last counts. */
export function sumUsage(messages: readonly AssistantMessage[]): Usage {
  const counted = new Map<string, Usage>();
  for (const [index, { provider, responseId, usage }] of messages.entries())
    counted.set(responseId ? `${provider} ${responseId}` : `at ${index}`, usage);
  return [...counted.values()].reduce(addUsage, noUsage);
}

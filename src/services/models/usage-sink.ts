/** Collects the usage that a server reports in the course of one response. */
import { noUsage, type Usage } from '../../core/models/messages.ts';

export type UsagePart = Partial<Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'>>;

export interface UsageSink {
  /** Later counts replace earlier ones, field by field. */
  usage(part: UsagePart): void;
  /** US dollars for the whole response, as the provider reports them; the parts stay unknown. */
  cost(total: number): void;
}

export function mergeUsage(usage: Usage, part: UsagePart): Usage {
  const next = { ...usage, ...part };
  const totalTokens = next.input + next.output + next.cacheRead + next.cacheWrite;
  return { ...next, totalTokens };
}

export const withCost = (usage: Usage, total: number): Usage => ({
  ...usage,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total },
});

export interface UsageSum extends UsageSink {
  readonly value: Usage;
}

export function createUsageSum(): UsageSum {
  let value: Usage = noUsage;
  return {
    get value() {
      return value;
    },
    usage(part) {
      value = mergeUsage(value, part);
    },
    cost(total) {
      value = withCost(value, total);
    },
  };
}

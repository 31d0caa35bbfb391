/** Usage of model requests, in separate sums: known money, the demo's sample money, unpriced tokens. */
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Usage } from './messages.ts';

export interface Spent {
  readonly tokens: number;
  /** US dollars, as far as prices are known. */
  readonly usd: number;
  /** US dollars at the demo's sample prices; not real money. */
  readonly simulatedUsd: number;
  /** Tokens with an unknown price. */
  readonly unpriced: number;
}

export const noneSpent: Spent = { tokens: 0, usd: 0, simulatedUsd: 0, unpriced: 0 };

export const addSpent = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
  simulatedUsd: a.simulatedUsd + b.simulatedUsd,
  unpriced: a.unpriced + b.unpriced,
});

/** Whether a response cost anything; some refusals cost money and report no tokens. */
export const isBilled = ({ totalTokens, cost }: Usage): boolean => totalTokens > 0 || (cost?.total ?? 0) > 0;

export function spentOn({ totalTokens: tokens, cost }: Usage, simulated: boolean): Spent {
  const usd = cost?.total ?? 0;
  return {
    tokens,
    usd: simulated ? 0 : usd,
    simulatedUsd: simulated ? usd : 0,
    unpriced: cost ? 0 : tokens,
  };
}

/** The sum that has reached a limit of `maxUsd` dollars. Simulated dollars count separately. */
export const usedUpSum = ({ usd, simulatedUsd }: Pick<Spent, 'usd' | 'simulatedUsd'>, maxUsd: number) =>
  usd >= maxUsd ? 'usd' : simulatedUsd >= maxUsd ? 'simulatedUsd' : null;

/** Reason that a limit of `maxUsd` dollars allows no further request; `null` if it does. */
export function costLimitReason(spent: Spent, maxUsd: number): HostText | null {
  const sum = usedUpSum(spent, maxUsd);
  if (sum === null) return null;
  return sum === 'usd'
    ? say('models.moneyUsedUp', { n: maxUsd })
    : say('models.demoMoneyUsedUp', { n: maxUsd });
}

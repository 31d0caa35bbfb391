import { type AppError, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { LimitUse } from '../../core/models/budget.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

// Texts for users about costs and limits.

const span = (limit: LimitUse['limit']): HostText =>
  limit.endsWith('Day') ? say('usage.today') : say('usage.month');
const flag = {
  tokensPerDay: '--tokens-per-day',
  tokensPerMonth: '--tokens-per-month',
  usdPerDay: '--usd-per-day',
  usdPerMonth: '--usd-per-month',
} as const;

export interface Whose {
  /** `null` for all agents together. */
  readonly agentId: string | null;
  readonly name: string;
}

const raise = (use: LimitUse, { agentId }: Whose): HostText => {
  const until = use.limit.endsWith('Day') ? say('usage.tomorrow') : say('usage.nextMonth');
  const command = `kennel budget ${agentId === null ? '' : `${agentId} `}${flag[use.limit]} N`;
  return say('usage.raiseOrWait', { command, until });
};

function figures({ limit, used, max, simulated }: LimitUse): HostText {
  if (simulated) return say('usage.simulated', { used, max, span: span(limit) });
  return limit.startsWith('usd')
    ? say('usage.dollars', { used, max, span: span(limit) })
    : say('usage.tokens', { used, max, span: span(limit) });
}

const nameOf = ({ agentId, name }: Whose): HostText => (agentId === null ? say('usage.allAgents') : name);

export const usedUp = (use: LimitUse, whose: Whose): AppError =>
  textError('rate_limited', say('usage.budgetUsedUp', { whose: nameOf(whose), figures: figures(use) }), {
    hint: raise(use, whose),
  });

export const nearlyUsedUp = (use: LimitUse, whose: Whose): AppError =>
  textError(
    'rate_limited',
    say('usage.budgetNearlyUsedUp', { whose: nameOf(whose), figures: figures(use) }),
    {
      hint: raise(use, whose),
    },
  );

const amountOf = ({ limit, budget }: LimitUse): HostText =>
  limit.startsWith('usd') ? say('usage.usd', { usd: budget }) : say('usage.tokenCount', { count: budget });

/** The question for more budget; `title` follows the name of the agent that asks. */
export function moreWords(use: LimitUse, whose: Whose) {
  const amount = amountOf(use);
  const when = span(use.limit);
  const rule = say('usage.another', { amount, when });
  return {
    title: say(whose.agentId === null ? 'usage.allNeedMore' : 'usage.agentNeedsMore', { amount, when }),
    body: `Used: ${englishText(figures(use))}\nIf you allow it: ${rule.text}, once`,
    why: say('usage.whyAsked'),
    rule,
  };
}

export const unpriced = (model: string, whose: Whose): AppError =>
  fail('rate_limited', 'usage.unknownPrice', { model, whose: nameOf(whose) }, { help: 'usage.setPrice' });

export const unreadableUsage = (message: string): AppError =>
  fail('io_error', 'usage.spendingUnreadable', { why: message }, { help: 'usage.continuesByItself' });

/**
 * Decides whether another request may be paid for. Pure: usage so far is passed in. A limit warns at 80 % and
 * stops at 100 %; money limits also stop if the price is unknown. The demo's simulated dollars have a
 * separate cap of the same size and never mix with real money.
 */

export interface BudgetLimits {
  readonly tokensPerDay: number | null;
  readonly tokensPerMonth: number | null;
  readonly usdPerDay: number | null;
  readonly usdPerMonth: number | null;
}

export interface Used {
  readonly tokens: number;
  /** Real money, as far as prices were known. */
  readonly usd: number;
  /** At the demo's sample prices. */
  readonly simulatedUsd: number;
}

/** Limits and usage of one agent, or of all together. */
export interface BudgetScope {
  readonly scope: 'agent' | 'total';
  readonly limits: BudgetLimits;
  /** Amounts beyond the limits that the operator approved for the current periods. */
  readonly extra?: Partial<Readonly<Record<keyof BudgetLimits, number>>>;
  readonly day: Used;
  readonly month: Used;
}

export interface LimitUse {
  readonly scope: BudgetScope['scope'];
  readonly limit: keyof BudgetLimits;
  /** The demo's cap: `used` is simulated dollars. */
  readonly simulated: boolean;
  /** Includes the approved extra amount. */
  readonly max: number;
  /** The limit as configured. */
  readonly budget: number;
  readonly used: number;
  /** From 0; above 1 if exceeded. */
  readonly share: number;
  readonly state: 'fine' | 'warn' | 'stop';
}

export const noLimits: BudgetLimits = {
  tokensPerDay: null,
  tokensPerMonth: null,
  usdPerDay: null,
  usdPerMonth: null,
};

const warnAt = 0.8;

const isMoney = (limit: keyof BudgetLimits): boolean => limit.startsWith('usd');

/** Every configured limit, most used first. */
export function limitUses(scopes: readonly BudgetScope[]): readonly LimitUse[] {
  return scopes.flatMap(usesOf).sort((a, b) => b.share - a.share);
}

function usesOf({ scope, limits, extra, day, month }: BudgetScope): LimitUse[] {
  const use = (limit: keyof BudgetLimits, used: number, simulated = false): LimitUse[] => {
    const budget = limits[limit];
    if (budget === null || (simulated && used === 0)) return [];
    // The approved extra amount is real money.
    const max = budget + (simulated ? 0 : (extra?.[limit] ?? 0));
    const share = max === 0 ? 1 + used : used / max;
    const state = share >= 1 ? 'stop' : share >= warnAt ? 'warn' : 'fine';
    return [{ scope, limit, simulated, max, budget, used, share, state }];
  };
  return [
    ...use('tokensPerDay', day.tokens),
    ...use('tokensPerMonth', month.tokens),
    ...use('usdPerDay', day.usd),
    ...use('usdPerMonth', month.usd),
    ...use('usdPerDay', day.simulatedUsd, true),
    ...use('usdPerMonth', month.simulatedUsd, true),
  ];
}

export type PriceState = 'known' | 'unknown' | 'simulated';

export type BudgetVerdict =
  | { readonly type: 'go' }
  /** The price is unknown, and a money cap is set. */
  | { readonly type: 'unpriced'; readonly scope: BudgetScope['scope'] }
  | { readonly type: 'used_up'; readonly by: LimitUse };

/** Limits that stop a request at this price, most used first. */
function stopping(scopes: readonly BudgetScope[], price: PriceState): readonly LimitUse[] {
  return limitUses(scopes).filter(
    ({ state, limit, simulated }) =>
      state === 'stop' && (!isMoney(limit) || simulated === (price === 'simulated')),
  );
}

const cappedScope = (scopes: readonly BudgetScope[]): BudgetScope | undefined =>
  scopes.find(({ limits }) => limits.usdPerDay !== null || limits.usdPerMonth !== null);

export function checkBudget(scopes: readonly BudgetScope[], price: PriceState): BudgetVerdict {
  const [by] = stopping(scopes, price);
  if (by) return { type: 'used_up', by };
  const capped = price === 'unknown' ? cappedScope(scopes) : undefined;
  return capped ? { type: 'unpriced', scope: capped.scope } : { type: 'go' };
}

/**
 * Limits to raise so that the request may proceed. Empty if it may proceed already, or if raising cannot
 * help: a limit of zero, the demo's cap, or an unknown price under a money cap.
 */
export function raisable(scopes: readonly BudgetScope[], price: PriceState): readonly LimitUse[] {
  const stops = stopping(scopes, price);
  const hopeless =
    (price === 'unknown' && cappedScope(scopes)) ||
    stops.some(({ budget, simulated }) => budget === 0 || simulated);
  return hopeless ? [] : stops;
}

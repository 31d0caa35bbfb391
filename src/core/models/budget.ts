/**
 * Whether another request may be paid for. Pure: what was used so far is handed in. A limit warns at 80 % and stops at
 * 100 %; money limits stop also where the price is unknown. The demo's simulated dollars have a cap of the same size of
 * their own: they never use up real money, nor real money them.
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

/** One agent, or all together. */
export interface BudgetScope {
  readonly scope: 'agent' | 'total';
  readonly limits: BudgetLimits;
  /** What the operator has allowed beyond the limits, in the periods that run now. */
  readonly extra?: Partial<Readonly<Record<keyof BudgetLimits, number>>>;
  readonly day: Used;
  readonly month: Used;
}

export interface LimitUse {
  readonly scope: BudgetScope['scope'];
  readonly limit: keyof BudgetLimits;
  /** The demo's cap: `used` is simulated dollars. */
  readonly simulated: boolean;
  /** With what was allowed beyond it. */
  readonly max: number;
  /** The limit as it is set. */
  readonly budget: number;
  readonly used: number;
  /** 0 to 1 and beyond. */
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

/** Every limit that is set, most used first. */
export function limitUses(scopes: readonly BudgetScope[]): readonly LimitUse[] {
  return scopes.flatMap(usesOf).sort((a, b) => b.share - a.share);
}

function usesOf({ scope, limits, extra, day, month }: BudgetScope): LimitUse[] {
  const use = (limit: keyof BudgetLimits, used: number, simulated = false): LimitUse[] => {
    const budget = limits[limit];
    if (budget === null || (simulated && used === 0)) return [];
    // The amount the operator allowed beyond the limit is real money.
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
  /** Nobody knows what it would cost, and there is a cap. */
  | { readonly type: 'unpriced'; readonly scope: BudgetScope['scope'] }
  | { readonly type: 'used_up'; readonly by: LimitUse };

/** What stops a request at this price, most used first. */
function stopping(scopes: readonly BudgetScope[], price: PriceState): readonly LimitUse[] {
  return limitUses(scopes).filter(
    ({ state, limit, simulated }) =>
      state === 'stop' && (!isMoney(limit) || simulated === (price === 'simulated')),
  );
}

const cappedScope = (scopes: readonly BudgetScope[]): BudgetScope | undefined =>
  scopes.find(({ limits }) => limits.usdPerDay !== null || limits.usdPerMonth !== null);

export function mayAsk(scopes: readonly BudgetScope[], price: PriceState): BudgetVerdict {
  const [by] = stopping(scopes, price);
  if (by) return { type: 'used_up', by };
  const capped = price === 'unknown' ? cappedScope(scopes) : undefined;
  return capped ? { type: 'unpriced', scope: capped.scope } : { type: 'go' };
}

/**
 * Every limit that would have to be raised for the request to be made; empty where it may be made as it is, and where
 * no raise is asked for: a limit of nothing, the demo's cap, or a price that nobody knows under a money cap.
 */
export function raisable(scopes: readonly BudgetScope[], price: PriceState): readonly LimitUse[] {
  const stops = stopping(scopes, price);
  const hopeless =
    (price === 'unknown' && cappedScope(scopes)) ||
    stops.some(({ budget, simulated }) => budget === 0 || simulated);
  return hopeless ? [] : stops;
}

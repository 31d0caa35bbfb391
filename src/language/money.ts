/** Formats costs with their unit and says if a price is unknown. */
import { locale, t } from './texts.ts';

interface Spend {
  readonly tokens: number;
  /** `null` if no price is known. */
  readonly usd: number | null;
  /** Tokens without a price. */
  readonly unpriced: number;
  readonly simulated: boolean;
}

const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;

/** Below ten cents, shows two significant digits. */
export const usdWords = (usd: number): string =>
  usd.toLocaleString(locale(), usd > 0 && usd < 0.1 ? { ...dollars, maximumSignificantDigits: 2 } : dollars);

/** "$0.42", "$0.42 + unknown" if some tokens have no price, "price unknown" if none has one. */
export function costWords({ usd, unpriced }: Pick<Spend, 'usd' | 'unpriced'>): string {
  if (usd === null) return t('usage.priceUnknown');
  return unpriced > 0 ? t('amounts.partly', { cost: usdWords(usd) }) : usdWords(usd);
}

/** Cost of a task or run: known, simulated and unknown money side by side. Empty if it cost nothing. */
export function sumWords({ usd, simulatedUsd, unpriced }: SumOfCosts): string {
  const known = usd > 0 || unpriced > 0 ? [costWords({ usd: usd > 0 ? usd : null, unpriced })] : [];
  const simulated = simulatedUsd > 0 ? [t('usage.simulatedCost', { cost: usdWords(simulatedUsd) })] : [];
  return [...known, ...simulated].join(' + ');
}

export interface SumOfCosts {
  readonly usd: number;
  readonly simulatedUsd: number;
  readonly unpriced: number;
}

/** "$0.42", the tokens if no price is known, or "nothing". */
export function spendShort({ tokens, usd, unpriced }: Spend): string {
  if (tokens === 0 && (usd ?? 0) === 0) return t('amounts.nothing');
  return usd === null ? t('amounts.tokens', { count: tokens }) : costWords({ usd, unpriced });
}

/** Full text: money, tokens, and whether the price is simulated or unknown. */
export function spendWords(spend: Spend): string {
  const { tokens: count, usd } = spend;
  if (count === 0 && (usd ?? 0) === 0) return t('amounts.nothingYet');
  if (usd === null) return t('amounts.unpriced', { count });
  return t(spend.simulated ? 'amounts.simulated' : 'amounts.priced', { cost: costWords(spend), count });
}

/** Today's costs in one short text, which marks simulated money. */
export const todayWords = (spend: Spend): string =>
  t(spend.simulated ? 'frame.todaySimulated' : 'frame.today', { cost: spendShort(spend) });

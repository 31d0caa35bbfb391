/** What something cost, said plainly: with its unit, and honest where the price is not known. */
import type { Spend } from '../../contract/work.ts';
import { t } from '../../language/texts.ts';

const cents = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
});
const fine = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumSignificantDigits: 2,
});

export const usdWords = (usd: number): string => (usd > 0 && usd < 0.1 ? fine : cents).format(usd);

/** "$0.42"; without a price, the tokens; nothing spent is "nothing". */
export function spendShort({ tokens, usd }: Spend): string {
  if (tokens === 0 && (usd ?? 0) === 0) return 'nothing';
  return usd === null ? t('amounts.tokens', { count: tokens }) : usdWords(usd);
}

/** The whole of it: money, tokens, and what is to be known about the price. */
export function spendWords(spend: Spend): string {
  if (spend.tokens === 0 && (spend.usd ?? 0) === 0) return 'nothing yet';
  const tokens = t('amounts.tokens', { count: spend.tokens });
  if (spend.usd === null) return `${tokens}, price unknown`;
  return `${usdWords(spend.usd)} for ${tokens}${spend.simulated ? ' at simulated prices' : ''}`;
}

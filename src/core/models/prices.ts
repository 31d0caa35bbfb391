/**
 * Limits and prices of known models, from their providers' public pages on `pricesAsOf`. Unlisted models are
 * unknown; without a published cache price the full price applies. daemon.yml `prices` overrides it.
 */
import type { ModelPrice, PriceRates } from './model-ports.ts';

export const pricesAsOf = '2026-11-21';

export interface KnownModel {
  readonly provider: string;
  /** Also matches dated snapshots and previews. */
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly price: Omit<ModelPrice, 'simulated'>;
  /** Announced changes, oldest first; `from` is a day in UTC. */
  readonly later?: readonly { readonly from: string; readonly price: Omit<ModelPrice, 'simulated'> }[];
}

const million = 1_000_000;
type Rates = readonly [input: number, output: number, cacheRead: number, cacheWrite?: number];
type Size = readonly [contextWindow: number, maxOutputTokens: number];

const rates = ([input, output, cacheRead, cacheWrite = input]: Rates): PriceRates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const above = (tokens: number, long: Rates) => ({ above: { tokens, ...rates(long) } });

const model = (
  provider: string,
  id: string,
  [contextWindow, maxOutputTokens]: Size,
  price: Rates,
  more: Partial<Pick<ModelPrice, 'above'>> = {},
): KnownModel => ({ provider, id, contextWindow, maxOutputTokens, price: { ...rates(price), ...more } });

const claude = (id: string, size: Size, price: Rates, more = {}): KnownModel =>
  model('anthropic', `claude-${id}`, size, price, more);
const large: Size = [million, 128_000];
const middle: Size = [200_000, 64_000];

const anthropic: readonly KnownModel[] = [
  claude('fable-5-1', large, [10, 50, 0.25, 12.5]),
  claude('mythos-5-1', large, [10, 50, 0.25, 12.5]),
  claude('fable-5', large, [10, 50, 1, 12.5]),
  claude('mythos-5', large, [10, 50, 1, 12.5]),
  claude('opus-5-5', large, [4, 20, 0.2, 5]),
  claude('opus-5', large, [5, 25, 0.5, 6.25]),
  claude('opus-4-8', large, [5, 25, 0.5, 6.25]),
  claude('opus-4-7', large, [5, 25, 0.5, 6.25]),
  claude('opus-4-6', large, [5, 25, 0.5, 6.25]),
  claude('opus-4-5', middle, [5, 25, 0.5, 6.25]),
  claude('opus-4-1', [200_000, 32_000], [15, 75, 1.5, 18.75]),
  claude('opus-4', [200_000, 32_000], [15, 75, 1.5, 18.75]),
  claude('sonnet-5-5', large, [2, 10, 0.1, 2.5]),
  claude('sonnet-5', large, [2, 10, 0.2, 2.5]),
  claude('sonnet-4-6', [million, 64_000], [3, 15, 0.3, 3.75]),
  claude('sonnet-4-5', middle, [3, 15, 0.3, 3.75]),
  claude('sonnet-4', middle, [3, 15, 0.3, 3.75]),
  claude('3-7-sonnet', middle, [3, 15, 0.3, 3.75]),
  claude('haiku-5-5', large, [0.1, 0.5, 0.01, 0.125], above(100_000, [0.5, 2.5, 0.05, 0.625])),
  claude('haiku-4-5', middle, [1, 5, 0.1, 1.25]),
  claude('3-5-haiku', [200_000, 8_192], [0.8, 4, 0.08, 1]),
];

const gptWindow: Size = [1_050_000, 128_000];
const olderGpt: Size = [400_000, 128_000];

/** Above 272,000 tokens, input costs double and output one and a half times as much. */
function gpt(id: string, price: Rates): KnownModel {
  const [input, output, cacheRead, cacheWrite = input] = price;
  const long: Rates = [2 * input, 1.5 * output, 2 * cacheRead, 2 * cacheWrite];
  return model('openai', `gpt-${id}`, gptWindow, price, above(272_000, long));
}
const older = (id: string, size: Size, price: Rates): KnownModel => model('openai', id, size, price);

const openai: readonly KnownModel[] = [
  gpt('6.2-astra', [8, 40, 0.4, 10]),
  gpt('6.2-sol', [2, 10, 0.1, 2.5]),
  gpt('6.1-sol', [2, 10, 0.1, 2.5]),
  gpt('6.1-terra', [1, 5, 0.05, 1.25]),
  gpt('6-astra', [10, 50, 1, 12.5]),
  gpt('6-sol', [2, 10, 0.2, 2.5]),
  gpt('6-luna', [0.1, 0.5, 0.01, 0.125]),
  gpt('5.6-sol', [4, 20, 0.4]),
  gpt('5.6-terra', [2, 12, 0.2]),
  gpt('5.6-luna', [0.2, 1.2, 0.02]),
  gpt('5.5', [5, 30, 0.5]),
  gpt('5.4', [2.5, 15, 0.25]),
  older('gpt-5.4-mini', olderGpt, [0.75, 4.5, 0.075]),
  older('gpt-5.4-nano', olderGpt, [0.2, 1.25, 0.02]),
  older('gpt-5.2', olderGpt, [1.75, 14, 0.175]),
  older('gpt-5.1', olderGpt, [1.25, 10, 0.125]),
  older('gpt-5', olderGpt, [1.25, 10, 0.125]),
  older('gpt-5-mini', olderGpt, [0.25, 2, 0.025]),
  older('gpt-5-nano', olderGpt, [0.05, 0.4, 0.005]),
  older('gpt-4.1', [1_047_576, 32_768], [2, 8, 0.5]),
  older('gpt-4.1-mini', [1_047_576, 32_768], [0.4, 1.6, 0.1]),
  older('gpt-4.1-nano', [1_047_576, 32_768], [0.1, 0.4, 0.025]),
  older('gpt-4o', [128_000, 16_384], [2.5, 10, 1.25]),
  older('gpt-4o-mini', [128_000, 16_384], [0.15, 0.6, 0.075]),
  older('o3', [200_000, 100_000], [2, 8, 0.5]),
  older('o4-mini', [200_000, 100_000], [1.1, 4.4, 0.275]),
];

const geminiWindow: Size = [1_048_576, 65_536];
const gemini = (id: string, price: Rates, more = {}): KnownModel =>
  model('google', `gemini-${id}`, geminiWindow, price, more);
const from = (day: string, price: Rates) => ({ later: [{ from: day, price: rates(price) }] });

const google: readonly KnownModel[] = [
  { ...gemini('4-argon', [2, 10, 0.1]), ...from('2026-12-01', [4, 20, 0.2]) },
  { ...gemini('4-carbon', [2, 10, 0.1]), ...from('2026-12-01', [4, 20, 0.2]) },
  gemini('4-hydrogen', [1.5, 7.5, 1.5]),
  { ...gemini('3.8-flash', [0.75, 3.75, 0.075]), ...from('2027-01-01', [1.5, 7.5, 0.15]) },
  gemini('3.5-flash', [1.5, 9, 1.5]),
  gemini('3.5-flash-lite', [0.3, 2.5, 0.3]),
  gemini('3.1-pro', [2, 12, 2], above(200_000, [4, 18, 4])),
  gemini('3.1-flash-lite', [0.25, 1.5, 0.25]),
  gemini('3-flash', [0.5, 3, 0.5]),
  gemini('2.5-pro', [1.25, 10, 0.125], above(200_000, [2.5, 15, 0.25])),
  gemini('2.5-flash', [0.3, 2.5, 0.03]),
  gemini('2.5-flash-lite', [0.1, 0.4, 0.01]),
];

export const knownModels: readonly KnownModel[] = [...anthropic, ...openai, ...google];

/** Price of a small model: the demo shows figures, labelled as a sample. */
export const samplePrice: ModelPrice = { ...rates([1, 5, 0.1, 1.25]), simulated: true };

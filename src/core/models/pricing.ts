/** What is known about a model and what a response cost. An unknown price stays null: never a guess. */
import type { ModelFacts, ModelPrice, PriceRates } from '../model-ports.ts';
import type { Cost, Usage } from './messages.ts';
import { type KnownModel, knownModels, samplePrice } from './prices.ts';
import { scriptedProvider } from './providers.ts';

/** `prices` of daemon.yml: US dollars per million tokens, by `provider/model`; a trailing * fits any rest. */
export type PriceOverrides = Readonly<
  Record<
    string,
    {
      readonly input: number;
      readonly output: number;
      readonly cache_read?: number | undefined;
      readonly cache_write?: number | undefined;
    }
  >
>;

export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** `day`: today as YYYY-MM-DD, because prices change on announced days. */
export function modelFacts(name: ModelName, day: string, overrides: PriceOverrides = {}): ModelFacts {
  if (name.provider === scriptedProvider) return scripted;
  const known = findModel(name);
  const price = overridden(name, overrides) ?? (known ? listed(known, day) : null);
  return {
    contextWindow: known?.contextWindow ?? null,
    maxOutputTokens: known?.maxOutputTokens ?? null,
    vision: known ? true : null,
    nativeTools: true,
    price,
  };
}

/** US dollars; null while the price is unknown. */
export function costOf(usage: Omit<Usage, 'cost'>, price: ModelPrice | null): Cost | null {
  if (!price) return null;
  const { above } = price;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const rates: PriceRates = above && read > above.tokens ? above : price;
  const part = (tokens: number, perMillion: number): number => (tokens * perMillion) / 1_000_000;
  const input = part(usage.input, rates.input);
  const output = part(usage.output, rates.output);
  const cacheRead = part(usage.cacheRead, rates.cacheRead);
  const cacheWrite = part(usage.cacheWrite, rates.cacheWrite);
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}

const scripted: ModelFacts = {
  contextWindow: null,
  maxOutputTokens: null,
  vision: false,
  nativeTools: true,
  price: samplePrice,
};

/** `-20250514`, `-2026-09-29`, `@20250514`, `-latest`, `-preview-09-2025`, `[1m]`. */
const variant = /^(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest|-preview(?:-[\d-]+)?|\[1m\])*$/;

function findModel({ provider, model }: ModelName): KnownModel | null {
  const id = model.replace(/^models\//, '');
  return (
    knownModels.find(
      (known) =>
        known.provider === provider && id.startsWith(known.id) && variant.test(id.slice(known.id.length)),
    ) ?? null
  );
}

function listed({ price, later = [] }: KnownModel, day: string): ModelPrice {
  const due = later.filter(({ from }) => from <= day).at(-1);
  return { ...(due?.price ?? price), simulated: false };
}

/** Of several that fit the longest one, so that a name beats a pattern. */
function overridden({ provider, model }: ModelName, overrides: PriceOverrides): ModelPrice | null {
  const name = `${provider}/${model}`;
  const fits = (key: string): boolean =>
    key.endsWith('*') ? name.startsWith(key.slice(0, -1)) : key === name;
  const [key] = Object.keys(overrides)
    .filter(fits)
    .sort((a, b) => Number(a.endsWith('*')) - Number(b.endsWith('*')) || b.length - a.length);
  const found = key === undefined ? undefined : overrides[key];
  if (!found) return null;
  const { input, output, cache_read = input, cache_write = input } = found;
  return { input, output, cacheRead: cache_read, cacheWrite: cache_write, simulated: false };
}

/** Facts about a model, and the cost of a response. An unknown price stays `null`, never a guess. */

import type { Cost, Usage } from './messages.ts';
import type { ModelFacts, ModelPrice, PriceRates } from './model-ports.ts';
import { findByName, type ModelSettings, type PriceSetting } from './model-settings.ts';
import { type KnownModel, knownModels, samplePrice } from './prices.ts';
import { scriptedProvider } from './providers.ts';

/** `prices` of daemon.yml, by `provider/model`; a trailing * matches any rest. */
export type PriceOverrides = Readonly<Record<string, PriceSetting>>;

export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** Facts that the model's server reports. */
export type ReportedFacts = Pick<ModelFacts, 'contextWindow' | 'vision'> & {
  readonly nativeTools: boolean | null;
};

/** Precedence: the agent's settings, daemon.yml, the server's report, the built-in table. */
export interface FactSources {
  readonly prices?: PriceOverrides;
  /** `models` of daemon.yml, by `provider/model`. */
  readonly models?: Readonly<Record<string, ModelSettings>>;
  readonly agent?: (ModelSettings & { readonly price: PriceSetting | null }) | null;
  readonly reported?: ReportedFacts | null;
}

/** `day`: today as YYYY-MM-DD, because prices change on announced days. */
export function modelFacts(name: ModelName, day: string, sources: FactSources = {}): ModelFacts {
  if (name.provider === scriptedProvider) return withSettings(scripted, name, sources);
  const { prices = {}, reported = null } = sources;
  const known = findModel(name);
  const found: ModelFacts = {
    contextWindow: reported?.contextWindow ?? known?.contextWindow ?? null,
    maxOutputTokens: known?.maxOutputTokens ?? null,
    answerTokens: null,
    temperature: null,
    vision: reported?.vision ?? (known ? true : null),
    nativeTools: reported?.nativeTools ?? true,
    price: overridden(findByName(name, prices)) ?? (known ? listed(known, day) : null),
  };
  return withSettings(found, name, sources);
}

function withSettings(facts: ModelFacts, name: ModelName, { models = {}, agent }: FactSources): ModelFacts {
  const named = findByName(name, models);
  const own = <K extends keyof ModelSettings>(key: K): ModelSettings[K] | null =>
    agent?.[key] ?? named?.[key] ?? null;
  const answerTokens = own('max_output_tokens');
  return {
    ...facts,
    contextWindow: own('context_window') ?? facts.contextWindow,
    maxOutputTokens: answerTokens ?? facts.maxOutputTokens,
    answerTokens,
    temperature: own('temperature'),
    nativeTools: own('native_tools') ?? facts.nativeTools,
    // The scripted model costs nothing, so its price stays a sample whatever is configured.
    price: facts.price?.simulated ? facts.price : (overridden(agent?.price) ?? facts.price),
  };
}

/** US dollars; `null` while the price is unknown. */
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
  answerTokens: null,
  temperature: null,
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

function overridden(found: PriceSetting | null | undefined): ModelPrice | null {
  if (!found) return null;
  const { input, output, cache_read = input, cache_write = input } = found;
  return { input, output, cacheRead: cache_read, cacheWrite: cache_write, simulated: false };
}

import { describe, expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { noUsage, type Usage } from './messages.ts';
import { costOf, modelFacts } from './model-facts.ts';
import { isOverflow, isSilentOverflow, overflowPatterns } from './overflow.ts';
import { knownModels, pricesAsOf } from './prices.ts';
import { addSpent, costLimitReason, noneSpent, spentOn } from './usage.ts';

const day = '2026-11-21';
const usage = (input: number, output: number, cacheRead = 0, cacheWrite = 0): Usage => ({
  ...noUsage,
  input,
  output,
  cacheRead,
  cacheWrite,
  totalTokens: input + output + cacheRead + cacheWrite,
});
const facts = (provider: string, model: string, on = day) => modelFacts({ provider, model }, on);
const total = (provider: string, model: string, used: Usage, on = day) =>
  costOf(used, facts(provider, model, on).price)?.total;

describe('Prices', () => {
  it('sum every kind of token', () => {
    const cost = costOf(
      usage(1_000_000, 100_000, 2_000_000, 400_000),
      facts('anthropic', 'claude-sonnet-4-6').price,
    );
    expect(cost).toEqual({ input: 3, output: 1.5, cacheRead: 0.6, cacheWrite: 1.5, total: 6.6 });
  });
  it.each([
    ['anthropic', 'claude-haiku-4-5-20251001', 1],
    ['anthropic', 'claude-opus-5-5', 4],
    ['anthropic', 'claude-opus-5', 5],
    ['openai', 'gpt-6.1-sol-2026-09-29', 2],
    ['openai', 'gpt-5-mini', 0.25],
    ['google', 'models/gemini-2.5-flash-preview-09-2025', 0.3],
  ])('are known for %s %s', (provider, model, input) => {
    expect(facts(provider, model).price).toMatchObject({ input, simulated: false });
  });
  it.each([
    ['anthropic', 'claude-opus-9'],
    ['openai', 'gpt-5-turbo'],
    ['openrouter', 'claude-opus-5-5'],
    ['ollama', 'llama4'],
  ])('are not guessed for %s %s', (provider, model) => {
    expect(facts(provider, model)).toMatchObject({ price: null, contextWindow: null, vision: null });
    expect(costOf(usage(1, 1), null)).toBeNull();
  });
  it('use the long-context price for the whole request if the prompt is long', () => {
    expect(total('google', 'gemini-2.5-pro', usage(200_000, 0))).toBeCloseTo(0.25);
    expect(total('google', 'gemini-2.5-pro', usage(100_000, 1_000_000, 100_001))).toBeCloseTo(15.275, 3);
  });
  it('announced for a later day apply from that day', () => {
    expect(total('google', 'gemini-4-argon', usage(1_000_000, 0), '2026-11-30')).toBe(2);
    expect(total('google', 'gemini-4-argon', usage(1_000_000, 0), '2026-12-01')).toBe(4);
  });
  it('come from daemon.yml first, and exact names before patterns', () => {
    const overrides = {
      'ollama/*': { input: 0, output: 0 },
      'ollama/llama4': { input: 1, output: 2, cache_read: 0.5 },
      'anthropic/claude-opus-5*': { input: 9, output: 9 },
    };
    const price = (provider: string, model: string) =>
      modelFacts({ provider, model }, day, { prices: overrides }).price;
    expect(price('ollama', 'qwen')).toMatchObject({ input: 0, output: 0 });
    expect(price('ollama', 'llama4')).toMatchObject({ input: 1, cacheRead: 0.5, cacheWrite: 1 });
    expect(price('anthropic', 'claude-opus-5-5')).toMatchObject({ input: 9 });
  });
  it('of the scripted model are marked as simulated', () => {
    expect(facts('scripted', 'anything').price).toMatchObject({ simulated: true });
  });
  it('are consistent in the built-in table', () => {
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const names = knownModels.map(({ provider, id }) => `${provider}/${id}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { price, contextWindow, maxOutputTokens } of knownModels) {
      expect(price.output).toBeGreaterThan(price.input);
      expect(price.cacheRead).toBeLessThanOrEqual(price.input);
      expect(maxOutputTokens).toBeLessThan(contextWindow);
    }
  });
});

describe('Spending', () => {
  const priced: Usage = { ...usage(10, 1), cost: costOf(usage(10, 1), facts('openai', 'gpt-5').price) };
  it('keeps known, simulated and unpriced amounts apart', () => {
    const all = [spentOn(priced, false), spentOn(usage(4, 1), false), spentOn(priced, true)];
    const sum = all.reduce(addSpent);
    const usd = priced.cost?.total ?? 0;
    expect(sum).toEqual({ tokens: 27, usd, simulatedUsd: usd, unpriced: 5 });
  });
  it('stops at a money limit, with real and simulated money counted separately', () => {
    expect(costLimitReason({ ...noneSpent, usd: 0.6, simulatedUsd: 0.6 }, 1)).toBeNull();
    expect(englishText(costLimitReason({ ...noneSpent, usd: 1 }, 1) ?? '')).toBe('all $1 are used');
    expect(englishText(costLimitReason({ ...noneSpent, simulatedUsd: 1 }, 1) ?? '')).toContain('simulated');
  });
});

describe('Context overflow errors', () => {
  it.each(overflowPatterns)('$from: $example', ({ pattern, example }) => {
    expect(example).toMatch(pattern);
    expect(isOverflow(400, example)).toBe(true);
    expect(isOverflow(429, example)).toBe(false);
  });
  it.each([
    'Rate limit reached for requests: prompt is too long a wait',
    'You exceeded your current quota of tokens per minute: maximum context length',
    'bad request',
  ])('do not match %s', (text) => expect(isOverflow(400, text)).toBe(false));
  it('are detected without an error if usage exceeds the window', () => {
    const reply = (stopReason: string, input: number, output: number) => ({
      stopReason,
      usage: { input, output, cacheRead: 0 },
    });
    expect(isSilentOverflow(reply('stop', 1_001, 5), 1_000)).toBe(true);
    expect(isSilentOverflow(reply('stop', 900, 5), 1_000)).toBe(false);
    expect(isSilentOverflow(reply('length', 999, 0), 1_000)).toBe(true);
    expect(isSilentOverflow(reply('length', 999, 9), 1_000)).toBe(false);
    expect(isSilentOverflow(reply('stop', 1_001, 5), null)).toBe(false);
  });
});

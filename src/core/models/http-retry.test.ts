import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { type ErrorCode, textError } from '../../contract/errors.ts';
import { withHttpRetry } from './http-retry.ts';
import { type AssistantMessage, noUsage } from './messages.ts';
import type { ModelEvent, ModelFailure, ModelPort } from './model-ports.ts';

const message: AssistantMessage = {
  role: 'assistant',
  api: 'a',
  provider: 'p',
  model: 'm',
  content: [],
  timestamp: 1,
  usage: noUsage,
  stopReason: 'stop',
};
const start: ModelEvent = { type: 'start', partial: message };
const text: ModelEvent = { type: 'text_start', contentIndex: 0, partial: message };
const done: ModelEvent = { type: 'done', reason: 'stop', message };
const failed = (
  more: Partial<ModelFailure> = {},
  code: ErrorCode = 'unavailable',
  of = message,
): ModelEvent => ({
  type: 'error',
  reason: 'error',
  message: of,
  failure: { error: textError(code, 'no'), retryable: true, ...more },
});

async function ask(answers: readonly (readonly ModelEvent[])[], stopAfterMs?: number) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  let asked = 0;
  const model: ModelPort = {
    api: 'a',
    async *stream() {
      asked += 1;
      yield* answers[asked - 1] ?? [];
    },
  };
  const target = { provider: 'p', model: 'm', baseUrl: '', apiKey: null, auth: 'api_key' } as const;
  const events: ModelEvent[] = [];
  const retrying = withHttpRetry(model, { clock, random: { fraction: () => 1 } });
  const over = (async () => {
    const options = { maxOutputTokens: 1, thinkingLevel: 'off' } as const;
    const context = { system: '', messages: [], tools: [] };
    for await (const event of retrying.stream(target, context, options, stop.signal)) events.push(event);
  })();
  if (stopAfterMs !== undefined) {
    await clock.advance(stopAfterMs);
    stop.abort();
  } else await clock.runAll();
  await over;
  return { events: events.map(({ type }) => type), asked, ms: clock.monotonic() };
}

describe('Request that fails before any output (F11)', () => {
  it('is retried after 0.5 s and then 1 s; only the last try is visible', async () => {
    expect(await ask([[failed()], [start, failed()], [start, text, done]])).toEqual({
      events: ['start', 'text_start', 'done'],
      asked: 3,
      ms: 1_500,
    });
  });
  it('fails after three tries', async () => {
    expect(await ask([[failed()], [failed()], [failed()], [done]])).toMatchObject({
      events: ['error'],
      asked: 3,
    });
  });
  it.each([
    ['told to wait', failed({ retryAfterMs: 5_000 })],
    ['asked too often', failed({ status: 429 }, 'rate_limited')],
    ['not worth it', failed({ retryable: false })],
    ['waited for long already', failed({}, 'timeout')],
    ['paid for', failed({}, 'unavailable', { ...message, usage: { ...noUsage, totalTokens: 5 } })],
  ])('is not retried in this layer: %s', async (_name, event) => {
    expect(await ask([[event], [done]])).toEqual({ events: ['error'], asked: 1, ms: 0 });
  });
  it('is not retried after output has started', async () => {
    expect(await ask([[start, text, failed()], [done]])).toMatchObject({ asked: 1 });
  });
  it('is not retried after an abort', async () => {
    expect(await ask([[failed()], [failed()], [done]], 200)).toMatchObject({ events: ['error'], asked: 2 });
  });
});

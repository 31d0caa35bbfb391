import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { type AssistantMessage, noUsage, textBlock, type Usage } from '../../core/models/messages.ts';
import type { ModelEvent } from '../../core/models/model-ports.ts';
import type { SpendRow } from '../../core/models/spend-gate.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { type AskModelDeps, askModel } from './ask-model.ts';

const choice: ModelChoice = {
  provider: 'ollama',
  adapter: 'openai-completions',
  model: 'm',
  baseUrl: 'http://127.0.0.1:9',
  apiKey: null,
  auth: 'api_key',
  scripted: false,
  reason: 'daemon',
};
const used: Usage = { ...noUsage, input: 30, output: 10, totalTokens: 40 };
const price = { input: 1_000, output: 1_000, cacheRead: 0, cacheWrite: 0, simulated: false };

const message = (change: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  api: 'openai-completions',
  provider: 'ollama',
  model: 'm',
  timestamp: 1,
  // Some servers give every response the same id.
  responseId: 'chatcmpl-1',
  stopReason: 'stop',
  content: [textBlock('true')],
  usage: used,
  ...change,
});
const done = (): ModelEvent => ({ type: 'done', reason: 'stop', message: message() });
const failed = (reason: 'error' | 'aborted', usage = used): ModelEvent => ({
  type: 'error',
  reason,
  message: message({ stopReason: reason, usage }),
  failure: { error: fail('model_error', 'workflows.modelEndedWithoutAnswer'), retryable: false },
});

function rig(events: readonly ModelEvent[], change: { priced?: boolean; refused?: boolean } = {}) {
  const rows: SpendRow[] = [];
  let asked = 0;
  const facts = {
    contextWindow: null,
    maxOutputTokens: null,
    answerTokens: null,
    temperature: null,
    vision: null,
  };
  const deps = {
    models: {
      chooseFor: async () => ok(choice),
      facts: async () => ({ ...facts, nativeTools: true, price: change.priced === false ? null : price }),
      model: async () => ({
        api: 'openai-completions',
        async *stream() {
          const event = events[asked];
          asked += 1;
          if (event) yield event;
        },
      }),
      gate: {
        enter: () => 0,
        abandoned: () => undefined,
        failed: () => undefined,
        succeeded: () => undefined,
      },
    },
    spend: {
      reserve: async () =>
        change.refused
          ? err(fail('rate_limited', 'workflows.unknownPrice', { limit: 1, provider: '', model: '' }))
          : ok({ release: () => undefined }),
      isPriced: () => change.priced !== false,
      record: (row: SpendRow) => void rows.push(row),
      question: () => null,
    },
    agents: { get: () => undefined },
    clock: createVirtualClock(),
    random: createSystemRandom(),
  } as unknown as AskModelDeps;
  const ask = (maxUsd: number | null = null, signal = new AbortController().signal) =>
    askModel(
      deps,
      { agentId: null, run: 'run_1' },
      { system: 's', prompt: 'p', provider: null, model: null, temperature: null, maxTokens: null, maxUsd },
      signal,
    );
  return { ask, rows, asked: () => asked };
}

it('T27: The usage of each model request is recorded under its own id, even if the response ids repeat', async () => {
  const { ask, rows } = rig([done(), done(), done()]);
  for (let n = 0; n < 3; n += 1)
    expect(await ask()).toMatchObject({ ok: true, value: { spent: { usd: 0.04 } } });
  expect(new Set(rows.map(({ callId }) => callId)).size).toBe(3);
});

it('T27: A failed, refused or aborted answer is recorded with its cost', async () => {
  const refusal = { ...noUsage, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 } };
  const { ask, rows } = rig([failed('error'), failed('error', refusal), failed('aborted')]);
  expect(await ask()).toMatchObject({ ok: false, error: { spent: { usd: 0.04 } } });
  expect(await ask()).toMatchObject({ ok: false, error: { spent: { usd: 0.5 } } });
  const stopped = new AbortController();
  stopped.abort();
  expect(await ask(null, stopped.signal)).toMatchObject({
    ok: false,
    error: { error: { code: 'cancelled' } },
  });
  expect(rows.map(({ unfinished, usage }) => [unfinished, usage.cost?.total])).toEqual([
    [true, 0.04],
    [true, 0.5],
    [true, 0.04],
  ]);
});

it('T27: A request with a money limit is not sent while the price is unknown or a budget is used up', async () => {
  const unpriced = rig([done()], { priced: false });
  expect(await unpriced.ask(1)).toMatchObject({ ok: false, error: { error: { code: 'rate_limited' } } });
  expect(unpriced.asked()).toBe(0);
  expect(await unpriced.ask()).toMatchObject({ ok: true, value: { spent: { unpriced: 40 } } });
  const used = rig([done()], { refused: true });
  expect(await used.ask()).toMatchObject({ ok: false });
  expect([used.asked(), used.rows.length]).toEqual([0, 0]);
});

import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { createProviderGate } from '../../core/models/provider-gate.ts';
import type { ModelEvent, ModelRequest, RuntimeEvent } from '../../core/ports.ts';
import { type ChatLocalDeps, createChatLocalRuntime } from './chat-local.ts';

const choice: ModelChoice = {
  provider: 'openai',
  adapter: 'openai-completions',
  auth: 'api_key',
  model: 'm',
  baseUrl: 'http://x/v1',
  apiKey: 'k',
  scripted: false,
  reason: 'agent',
};
const turn = { turnId: 't', agentId: 'a', system: 'S', messages: [{ role: 'user', content: 'hi' } as const] };
const text = (word: string): ModelEvent => ({ type: 'text_delta', text: word });
const fail = (retryable: boolean, retryAfterMs?: number): ModelEvent => ({
  type: 'failed',
  error: appError('unavailable', 'down'),
  retryable,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const done: ModelEvent = { type: 'done', stopReason: 'end' };

/** Plays one list of events per call; a function stands for whatever else a model may do. */
function rig(
  script: readonly (readonly ModelEvent[] | (() => AsyncIterable<ModelEvent>))[],
  change: Partial<ChatLocalDeps> = {},
) {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const asked: { at: number; request: ModelRequest }[] = [];
  const gate = change.gate ?? createProviderGate({ clock, random });
  const runtime = createChatLocalRuntime({
    choose: () => ok(choice),
    model: async () => ({
      provider: 'fake',
      stream: (request) => {
        const step = script[Math.min(asked.length, script.length - 1)] ?? [];
        asked.push({ at: clock.monotonic(), request });
        return typeof step === 'function'
          ? step()
          : (async function* () {
              yield* step;
            })();
      },
    }),
    gate,
    clock,
    random,
    log: createRecordingLog(),
    ...change,
  });
  const stop = new AbortController();
  const run = async (): Promise<RuntimeEvent[]> => {
    const events: RuntimeEvent[] = [];
    for await (const event of runtime.run(turn, stop.signal)) events.push(event);
    return events;
  };
  const play = async (): Promise<RuntimeEvent[]> => {
    const playing = run();
    await clock.runAll();
    return playing;
  };
  return { clock, asked, play, run, stop };
}

describe('chat-local runtime', () => {
  it('passes the stream on and closes with the whole text', async () => {
    const r = rig([
      [text('a '), text('b'), { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }, done],
    ]);
    const events = await r.play();
    expect(events.map((event) => event.type)).toEqual(['text_delta', 'text_delta', 'usage', 'turn_done']);
    expect(events.at(-1)).toEqual({ type: 'turn_done', parts: ['a b'], messageSent: false });
    expect(r.asked[0]?.request).toMatchObject({
      model: 'm',
      apiKey: 'k',
      system: 'S',
      maxOutputTokens: 2_048,
    });
  });
  it('F11 tries again after the told wait, never before, and forgets the half answer', async () => {
    const r = rig([
      [text('half'), fail(true, 20_000)],
      [text('whole'), done],
    ]);
    const events = await r.play();
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['whole'] });
    expect(events[1]).toMatchObject({ type: 'retrying', attempt: 1, inMs: 20_000 });
    expect((r.asked[1]?.at ?? 0) - (r.asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(20_000);
  });
  it('F11 gives up after five tries, visibly, with the longest partial text', async () => {
    const r = rig([
      [text('longest partial'), fail(true)],
      [text('short'), fail(true)],
    ]);
    const events = await r.play();
    expect(r.asked).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({
      type: 'turn_failed',
      partialText: 'longest partial',
      error: { code: 'unavailable' },
    });
  });
  it('F11 two agents on one server: within the told interval only the first has asked', async () => {
    const clock = createVirtualClock();
    const gate = createProviderGate({ clock, random: createSeededRandom(2) });
    const first = rig([[fail(true, 30_000)], [text('1'), done]], { gate, clock });
    const second = rig([[text('2'), done]], { gate, clock });
    const one = first.run();
    await settle();
    const two = second.run();
    await clock.advance(29_000);
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    await clock.runAll(120_000);
    expect((await one).at(-1)?.type).toBe('turn_done');
    expect((await two).at(-1)?.type).toBe('turn_done');
  });
  it('does not try again what cannot get better', async () => {
    const r = rig([[fail(false)]]);
    expect((await r.play()).at(-1)?.type).toBe('turn_failed');
    expect(r.asked).toHaveLength(1);
  });
  it('a choice that does not work is said, without asking any model', async () => {
    const r = rig([[done]], { choose: () => err(appError('unauthenticated', 'no key')) });
    expect(await r.play()).toMatchObject([{ type: 'turn_failed', error: { code: 'unauthenticated' } }]);
    expect(r.asked).toHaveLength(0);
  });
  it.each([
    [
      'throws',
      async function* (): AsyncGenerator<ModelEvent> {
        yield text('x');
        throw new Error('boom');
      },
      1,
    ],
    [
      'ends without a verdict',
      async function* (): AsyncGenerator<ModelEvent> {
        yield text('x');
      },
      5,
    ],
    [
      'never goes on',
      async function* (): AsyncGenerator<ModelEvent> {
        yield text('x');
        await new Promise(() => undefined);
      },
      5,
    ],
  ] as const)('F13 a model that %s fails the turn and keeps the text', async (_name, model, tries) => {
    const r = rig([model]);
    expect((await r.play()).at(-1)).toMatchObject({ type: 'turn_failed', partialText: 'x' });
    expect(r.asked).toHaveLength(tries);
  });
  it('F25 stops at once, also while it waits', async () => {
    for (const step of [
      [text('a'), fail(true, 500_000)],
      async function* (): AsyncGenerator<ModelEvent> {
        await new Promise(() => undefined);
      },
    ] as const) {
      const r = rig([step as never]);
      const running = r.run();
      await settle();
      r.stop.abort();
      expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
    }
  });
  it('an empty answer has no parts', async () => {
    expect((await rig([[text(' \n'), done]]).play()).at(-1)).toMatchObject({ parts: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { handOff } from '../../../src/core/models/hand-off.ts';
import { textBlock, userMessage } from '../../../src/core/models/messages.ts';
import type { ModelContext } from '../../../src/core/models/model-ports.ts';
import { createScriptedModel } from '../../../src/services/models/scripted/scripted-model.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { callsOf, ending, hello, textOf } from './adapter-under-test.ts';
import { broken } from './grammar.ts';

// The scripted model has no wire format, but its events must keep the same invariants as those of every
// adapter.

const target = { provider: 'scripted', model: 's', baseUrl: '', apiKey: null, auth: 'api_key' } as const;
const options = { maxOutputTokens: 100, thinkingLevel: 'off' } as const;
const writer = { name: 'write_file', description: '', parameters: { type: 'object' } };

async function ask(context: ModelContext, stopAfterMs?: number) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const events: Parameters<typeof broken>[0][number][] = [];
  const over = (async () => {
    for await (const event of createScriptedModel({ clock }).stream(target, context, options, stop.signal))
      events.push(event);
  })();
  if (stopAfterMs === undefined) await clock.runAll();
  else {
    await clock.advance(stopAfterMs);
    stop.abort();
  }
  await over;
  expect(broken(events)).toEqual([]);
  return { events, message: ending(events) };
}
const told = (text: string): ModelContext => ({
  ...hello,
  tools: [writer],
  messages: [userMessage(text, 1)],
});

describe('Scripted model', () => {
  it('streams text and counts tokens', async () => {
    const { message, events } = await ask(told('echo one two'));
    expect([textOf(message), message.stopReason]).toEqual(['one two', 'stop']);
    expect(events.filter(({ type }) => type === 'text_delta')).toHaveLength(2);
    expect(message.usage.totalTokens).toBeGreaterThan(0);
  });
  it('calls a tool with complete arguments and continues with its result', async () => {
    const { message } = await ask(told('write hello.md'));
    expect(message.stopReason).toBe('toolUse');
    const [call] = callsOf(message);
    expect(call).toMatchObject({ name: 'write_file', arguments: { path: 'hello.md' } });
    const result = { role: 'toolResult', toolCallId: call?.id ?? '', toolName: 'write_file' } as const;
    const messages = handOff(
      [
        ...told('write hello.md').messages,
        message,
        { ...result, content: [textBlock('written')], isError: false, timestamp: 2 },
      ],
      { api: 'scripted', provider: 'scripted', model: 's', vision: false },
    );
    expect((await ask({ ...told(''), messages })).message.stopReason).toBe('stop');
  });
  it('stops on abort and keeps the text so far', async () => {
    const { message } = await ask(told('slow'), 1_000);
    expect(message.stopReason).toBe('aborted');
    expect(textOf(message).length).toBeGreaterThan(0);
  });
  it('ends a failing stream with an error that is not retryable', async () => {
    const { events } = await ask(told('fail'));
    expect(events.at(-1)).toMatchObject({ type: 'error', reason: 'error', failure: { retryable: false } });
  });
});

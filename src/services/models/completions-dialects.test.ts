import { describe, expect, it } from 'vitest';
import { collectEvents, lastMessage, streamedAnswer } from '../../../test/fakes/streamed-answer.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createOpenAiCompletionsModel } from './openai-completions.ts';

const clock = createVirtualClock();
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ delta, finish_reason: finish }] })}\n\n`;
const calls = (...tool_calls: object[]): string => chunk({ tool_calls });
const end = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`;

async function read(text: string) {
  const fetch: typeof globalThis.fetch = async () => streamedAnswer([new TextEncoder().encode(text)]);
  const events = await collectEvents(createOpenAiCompletionsModel({ clock, fetch }));
  return { message: lastMessage(events), last: events.at(-1) };
}
const piece = (args: string, more: object = {}, name?: string): object => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

describe('Servers with a chat completions dialect', () => {
  it.each<[string, string]>([
    [
      'repeat id and name with every piece',
      calls(piece('{"a"', { index: 0, id: 'x' }, 'f')) + calls(piece(':1}', { index: 0, id: 'x' }, 'f')),
    ],
    ['give no index', calls(piece('{"a"', { id: 'x' }, 'f')) + calls(piece(':1}'))],
    [
      'give a new id with every piece',
      calls(piece('{"a"', { index: 0, id: 'x' }, 'f')) + calls(piece(':1}', { index: 0, id: 'y' })),
    ],
    [
      'send the name last',
      calls(piece('{"a":1}', { index: 0, id: 'x' })) + calls(piece('', { index: 0 }, 'f')),
    ],
    [
      'say words in between',
      calls(piece('{"a"', { index: 0, id: 'x' }, 'f')) +
        chunk({ content: '' }) +
        calls(piece(':1}', { index: 0 })),
    ],
    ['begin with an index of 1', calls(piece('{"a":1}', { index: 1, id: 'x' }, 'f'))],
  ])('are read as one call if they %s', async (_name, text) => {
    const { message } = await read(text + end);
    expect(message.content).toEqual([{ type: 'toolCall', id: 'x', name: 'f', arguments: { a: 1 } }]);
    expect(message.stopReason).toBe('toolUse');
  });

  it('are read as several calls if they separate them only by id', async () => {
    const text = calls(piece('{"a"', { id: 'x' }, 'f')) + calls(piece('{"b"', { id: 'y' }, 'g'));
    const rest = calls(piece(':1}', { id: 'x' })) + calls(piece(':2}', { id: 'y' }));
    expect((await read(text + rest + end)).message.content).toEqual([
      { type: 'toolCall', id: 'x', name: 'f', arguments: { a: 1 } },
      { type: 'toolCall', id: 'y', name: 'g', arguments: { b: 2 } },
    ]);
  });

  it('get unique generated ids for calls without an id', async () => {
    const { message } = await read(
      calls(piece('{}', { index: 0 }, 'f'), piece('{}', { index: 1 }, 'f')) + end,
    );
    const ids = message.content.map((block) => (block.type === 'toolCall' ? block.id : ''));
    expect([ids.length, new Set(ids).size, ids.includes('')]).toEqual([2, 2, false]);
  });

  it('produce a call that cannot run if they send broken arguments', async () => {
    const { message } = await read(calls(piece('{"a": nope', { index: 0, id: 'x' }, 'f')) + end);
    expect(message.content).toMatchObject([{ id: 'x', argumentsError: expect.stringMatching(/./) }]);
  });

  it('produce three blocks if they send reasoning, text and reasoning again', async () => {
    const text =
      chunk({ reasoning: 'a' }) +
      chunk({ reasoning: 'b' }) +
      chunk({ content: 'c' }) +
      chunk({ reasoning: 'd' });
    expect((await read(text + chunk({}, 'stop'))).message.content).toEqual([
      { type: 'thinking', thinking: 'ab' },
      { type: 'text', text: 'c' },
      { type: 'thinking', thinking: 'd' },
    ]);
  });

  it('fail on a content filter stop and keep the text so far', async () => {
    const { message, last } = await read(chunk({ content: 'so far' }, 'content_filter'));
    expect(message.content).toEqual([{ type: 'text', text: 'so far' }]);
    expect(last).toMatchObject({ type: 'error', failure: { retryable: false } });
    expect(message.errorMessage).toContain('content filter');
  });

  it('fail as retryable if they close without a finish reason', async () => {
    expect((await read(chunk({ content: 'so far' }))).last).toMatchObject({ failure: { retryable: true } });
  });
});

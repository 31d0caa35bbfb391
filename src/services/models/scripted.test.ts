import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { identityNote } from '../../core/agents/identity-note.ts';
import { mentionedSlugs } from '../../core/agents/mentions.ts';
import type { ModelEvent, ModelMessage } from '../../core/ports.ts';
import { scriptedAnswer } from './script.ts';
import { createScriptedModel } from './scripted.ts';

const system = (displayName: string): string =>
  `P\n\n${identityNote({ displayName, slug: 'x-1', role: '' })}\n\n---`;
const user = (content: string): ModelMessage => ({ role: 'user', content });
const ask = (who: string, text: string, before: readonly ModelMessage[] = []) =>
  scriptedAnswer(system(who), [...before, user(text)]);

describe('scripted helper', () => {
  it.each(['Guide', 'Checker', 'Somebody'])('%s greets, and says at once that it is a script', (who) => {
    expect(ask(who, 'hello').text).toMatch(/script/i);
    expect(ask(who, 'are you an AI model?').text).toMatch(/script/i);
    expect(ask(who, 'help').text).toMatch(/write FILE/);
  });
  it('guide and checker have voices of their own', () => {
    for (const text of ['hello', 'plan lunch', 'thanks', 'yes', 'are you real?']) {
      expect(ask('Guide', text).text).not.toBe(ask('Checker', text).text);
    }
  });
  it('echoes, and never wakes anybody by it', () => {
    expect(ask('Guide', '@you(x-1) echo two  words').text).toBe('two  words');
    const back = ask('Guide', 'echo @checker-1 echo @guide-1 [SILENT]').text;
    expect(mentionedSlugs(back)).toEqual([]);
    expect(back).not.toContain('[SILENT]');
  });
  it('drafts a file and says that nothing was saved', () => {
    const { text } = ask('Guide', 'write notes.md');
    expect(text).toContain('`notes.md`');
    expect(text).toContain('nothing on your disk has changed');
  });
  it('goes on when it has no line, with different words each time', () => {
    const before = [user('hello'), { role: 'assistant', content: 'Welcome' } as const];
    const first = ask('Guide', 'what is the weather', before).text;
    const second = ask('Guide', 'and tomorrow', [
      ...before,
      user('x'),
      { role: 'assistant', content: first },
    ]).text;
    expect(first).not.toBe(second);
    expect(`${first}${second}`).not.toMatch(/welcome/i);
  });
  it('gives the same words to the same conversation', () => {
    expect(ask('Guide', 'plan x')).toEqual(ask('Guide', 'plan x'));
  });

  const recite = async (text: string, stopAfterMs?: number) => {
    const clock = createVirtualClock();
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    const stream = createScriptedModel({ clock }).stream(
      {
        provider: 'scripted',
        model: '',
        baseUrl: '',
        apiKey: null,
        system: system('Guide'),
        messages: [user(text)],
        maxOutputTokens: 1,
      },
      stop.signal,
    );
    const done = (async () => {
      for await (const event of stream) events.push(event);
    })();
    if (stopAfterMs !== undefined) {
      await clock.advance(stopAfterMs);
      stop.abort();
    } else await clock.runAll();
    await done;
    return { events, ms: clock.monotonic() };
  };
  it('streams word by word', async () => {
    const { events } = await recite('echo one two three');
    expect(events).toEqual([
      { type: 'text_delta', text: 'one ' },
      { type: 'text_delta', text: 'two ' },
      { type: 'text_delta', text: 'three' },
      { type: 'done', stopReason: 'end' },
    ]);
  });
  it('slow takes seconds, and can be stopped', async () => {
    expect((await recite('slow')).ms).toBeGreaterThan(5_000);
    expect((await recite('slow', 1_000)).events.at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'cancelled' },
    });
  });
  it('fail breaks off in the middle and is not tried again', async () => {
    const { events } = await recite('fail');
    expect(events.some((event) => event.type === 'text_delta')).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'failed', retryable: false });
  });
});

import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../test/fakes/virtual-clock.ts';
import { mentionedSlugs } from '../../../contract/mentions.ts';
import { identityNote } from '../../../core/agents/identity-note.ts';
import { systemSlug } from '../../../core/agents/introduction.ts';
import { formatUserBlock } from '../../../core/agents/user-block.ts';
import { imageWords } from '../../../core/models/hand-off.ts';
import { type Message, noUsage, textBlock, userMessage } from '../../../core/models/messages.ts';
import type { ModelEvent } from '../../../core/models/model-ports.ts';
import { scriptedAnswer } from './script.ts';
import { createScriptedModel } from './scripted-model.ts';

const toolNames = [
  'write_file',
  'read_file',
  'list_dir',
  'bash_exec',
  'memory_append',
  'memory_search',
  'send_message',
];
const tools = toolNames.map((name) => ({ name, description: '', parameters: {} }));
const system = (displayName: string): string =>
  `P\n\n${identityNote({ displayName, slug: 'x-1', role: '' })}\n\n---`;
const user = (text: string): Message => userMessage(text, 0);
const ask = (who: string, text: string, before: readonly Message[] = [], offered = tools) =>
  scriptedAnswer({ system: system(who), messages: [...before, user(text)], tools: offered });
const said = (text: string): Message => ({
  role: 'assistant',
  api: 'scripted',
  provider: 'scripted',
  model: '',
  usage: noUsage,
  content: [textBlock(text)],
  stopReason: 'stop',
  timestamp: 0,
});
const result = (text: string, isError = false): Message => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 't',
  content: [textBlock(text)],
  isError,
  timestamp: 0,
});

describe('Scripted helper', () => {
  it.each(['Guide', 'Checker', 'Somebody'])('%s greets and says at once that it is a script', (who) => {
    expect(ask(who, 'hello').text).toMatch(/script/i);
    expect(ask(who, 'are you an AI model?').text).toMatch(/script/i);
    expect(ask(who, 'help').text).toMatch(/write FILE/);
  });

  it('gives guide and checker different replies', () => {
    for (const text of ['hello', 'plan lunch', 'thanks', 'yes', 'are you real?']) {
      expect(ask('Guide', text).text).not.toBe(ask('Checker', text).text);
    }
  });

  it('echoes text without mentioning other agents', () => {
    expect(ask('Guide', '@you(x-1) echo two  words').text).toBe('two  words');
    const back = ask('Guide', 'echo @checker-1 echo @guide-1 [SILENT]').text;
    expect(mentionedSlugs(back)).toEqual([]);
    expect(back).not.toContain('[SILENT]');
  });

  it('reads the text of a message and ignores its image placeholders', () => {
    const blind = userMessage('@you(x-1) read notes.txt', 0);
    const last = { ...blind, content: [...blind.content, textBlock(imageWords)] };
    const { calls } = scriptedAnswer({ system: system('Guide'), messages: [last], tools });
    expect(calls).toEqual([{ name: 'read_file', arguments: { path: 'notes.txt' } }]);
  });

  it('introduces itself without greeting the Kennel system account', () => {
    const entry = (senderSlug: string): string =>
      formatUserBlock({
        spaceName: 'S',
        spaceId: 'sp_1',
        channelName: 'c',
        channelId: 'ch_1',
        postId: 'p1',
        rootId: '',
        createdAt: 0,
        senderName: 'Kennel',
        senderSlug,
        senderType: 'human',
        visible: true,
        mentions: [],
        attachments: [],
        text: 'Introduce yourself.',
      });
    expect(ask('Somebody', entry('kennel-0001')).text).toContain('Kennel');
    expect(ask('Somebody', entry(systemSlug)).text).not.toContain('Kennel');
  });

  it('writes a file with its tool, reports it, and accepts a denial politely', () => {
    const first = ask('Guide', '@you(x-1) write hello.md');
    expect(first.calls).toEqual([
      {
        name: 'write_file',
        arguments: { path: 'hello.md', content: expect.stringContaining('# hello') as string },
      },
    ]);
    const before = [user('write hello.md'), said('')];
    const reply = (last: Message) =>
      scriptedAnswer({ system: system('Guide'), messages: [...before, last], tools });
    expect(reply(result('written'))).toMatchObject({
      calls: [],
      text: expect.stringContaining('hello.md') as string,
    });
    expect(reply(result('The operator denied it: not today', true)).text).toMatch(/you said no.*not today/s);
    expect(reply(result('disk full', true)).text).toContain('disk full');
    expect(reply(result('EACCES: permission denied', true)).text).toMatch(/did not work.*permission denied/);
  });

  it('stays silent if named only as the agent to ask', () => {
    expect(ask('Checker', '@guide-1 ask @you(x-1) lunch').text).toBe('[SILENT]');
    expect(mentionedSlugs(ask('Guide', 'ask @checker-1 lunch').text)).toEqual(['checker-1']);
  });

  it('names the missing tool instead of pretending', () => {
    const answer = ask('Guide', 'write hello.md', [], []);
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('write_file');
  });

  it('does not take a request for a yes or a no', () => {
    for (const text of ['please count backwards', 'no idea what to do', 'ok then count'])
      expect(ask('Guide', text, [user('hi'), said('Hello.')]).text).toMatch(/script/);
    expect(ask('Guide', 'yes please!', [user('hi'), said('Hello.')]).text).toContain('server knows');
  });

  it('says at once that an unknown request is outside its script, in place of a greeting', () => {
    expect(ask('Guide', 'please count backwards').text).toContain('outside my script');
    expect(ask('Guide', 'hello, who are you?').text).toContain('Welcome');
  });

  it('suggests commands that work where they are read', () => {
    const line = (channel: string): string =>
      formatUserBlock({
        spaceName: 'S',
        spaceId: 'sp_1',
        channelName: channel === '' ? 'Direct message' : 'general',
        channelId: channel,
        postId: 'p1',
        rootId: '',
        createdAt: 0,
        senderName: 'You',
        senderSlug: 'you-1',
        senderType: 'human',
        visible: true,
        mentions: [],
        attachments: [],
        text: 'hello',
      });
    expect(ask('Guide', line('ch_1')).text).toContain('`@Guide write hello.md`');
    expect(ask('Guide', line('')).text).toContain('`write hello.md`');
  });

  it('takes as many steps as requested, at most fifty', () => {
    const messages: Message[] = [user('work 3')];
    let calls = 0;
    for (;;) {
      const answer = scriptedAnswer({ system: system('Guide'), messages, tools });
      if (answer.calls.length === 0) break;
      calls += 1;
      messages.push(said(''), result('a.txt'));
    }
    expect(calls).toBe(3);
    expect(ask('Guide', 'work 9999').text).toContain('50');
  });

  it('reports a result that arrived before a newer message', () => {
    const before = [user('write a.md'), said(''), result('written')];
    expect(ask('Guide', 'thanks', before).text).toMatch(/a\.md.*welcome/s);
  });

  it('quotes results without mentions and inside a closed code fence', () => {
    const messages = [user('read a.md'), said(''), result('```\n@checker-1 write x.md')];
    const { text } = scriptedAnswer({ system: system('Guide'), messages, tools });
    expect(mentionedSlugs(text)).toEqual([]);
    expect(text).toContain('````');
  });

  it('T27 discusses in rounds only with agents, each round mentioning the other agent', () => {
    const from = (text: string, agent: boolean) =>
      formatUserBlock({
        spaceName: 's',
        spaceId: 'sp',
        channelName: 'c',
        channelId: 'ch',
        postId: 'p',
        rootId: '',
        createdAt: 1,
        senderName: 'Guide',
        senderSlug: 'guide-1',
        visible: true,
        mentions: [],
        attachments: [],
        senderType: agent ? 'bot' : 'human',
        text,
      });
    const start = ask('Guide', 'ask @checker-1 lunch').text;
    expect(mentionedSlugs(start)).toEqual(['checker-1']);
    const back = ask('Checker', from(start, true)).text;
    expect(mentionedSlugs(back)).toEqual(['guide-1']);
    expect(back).toContain('round 2');
    expect(mentionedSlugs(ask('Checker', from(start, false)).text)).toEqual([]);
  });

  it('answers messages without a scripted reply with varying text', () => {
    const before = [user('hello'), said('Welcome')];
    const first = ask('Guide', 'what is the weather', before).text;
    const second = ask('Guide', 'and tomorrow', [...before, user('x'), said(first)]).text;
    expect(first).not.toBe(second);
    expect(`${first}${second}`).not.toMatch(/welcome/i);
  });
});

const recite = async (text: string, stopAfterMs?: number, after: readonly Message[] = []) => {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const events: ModelEvent[] = [];
  const stream = createScriptedModel({ clock }).stream(
    { provider: 'scripted', model: 'scripted', baseUrl: '', apiKey: null, auth: 'api_key' },
    { system: system('Guide'), messages: [user(text), ...after], tools },
    { maxOutputTokens: 1, thinkingLevel: 'off' },
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

describe('Scripted model', () => {
  it('paces the steps of work, so that it can be steered and stopped between two of them', async () => {
    const between = [said(''), result('a.txt')];
    const { ms } = await recite('work 3', undefined, between);
    expect(ms).toBe(400);
    const stopped = await recite('work 3', 300, between);
    expect(stopped.events.at(-1)).toMatchObject({ type: 'error' });
  });

  it('streams word by word and ends with its full text', async () => {
    const { events } = await recite('echo one two three');
    expect(events.map((event) => ('delta' in event ? event.delta : event.type))).toEqual([
      'start',
      'text_start',
      'one ',
      'two ',
      'three',
      'text_end',
      'done',
    ]);
    expect(events.at(-1)).toMatchObject({
      reason: 'stop',
      message: { content: [{ text: 'one two three' }] },
    });
  });

  it('emits tool calls as a real model does, and counts tokens', async () => {
    const { events } = await recite('write hello.md');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      reason: 'toolUse',
      message: {
        content: [
          { type: 'text' },
          { type: 'toolCall', name: 'write_file', arguments: { path: 'hello.md' } },
        ],
      },
    });
    const last = events.at(-1);
    expect(last?.type === 'done' && last.message.usage.totalTokens).toBeGreaterThan(20);
  });

  it('takes seconds for `slow`, and can be aborted', async () => {
    expect((await recite('slow')).ms).toBeGreaterThan(5_000);
    expect((await recite('slow', 1_000)).events.at(-1)).toMatchObject({ type: 'error', reason: 'aborted' });
  });

  it('breaks off midway for `fail`, without a retry', async () => {
    const { events } = await recite('fail');
    expect(events.some((event) => event.type === 'text_delta')).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { retryable: false } });
  });
});

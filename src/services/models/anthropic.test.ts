import { describe, expect, it } from 'vitest';
import { ending } from '../../../test/conformance/models/adapter-under-test.ts';
import { recordings, replay } from '../../../test/conformance/models/recordings.ts';
import {
  type AssistantMessage,
  type Message,
  noUsage,
  textBlock,
  userMessage,
} from '../../core/models/messages.ts';
import { anthropicBody } from './anthropic-request.ts';

const options = { maxOutputTokens: 1_000, thinkingLevel: 'off' } as const;
const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });
const said = (content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'm',
  content,
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp: 1,
});
const result = (toolCallId: string, text: string, isError = false): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'f',
  isError,
  timestamp: 1,
  content: text === '' ? [] : [textBlock(text)],
});
const mark = { cache_control: { type: 'ephemeral' } };

describe('Requests to Anthropic', () => {
  it('mark the cacheable parts: system, the last tool, the newest message', () => {
    const context = { system: 'S', tools: [tool('a'), tool('b')], messages: [userMessage('hi', 1)] };
    expect(anthropicBody('claude-haiku-4-5', context, options)).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 1_000,
      stream: true,
      system: [{ type: 'text', text: 'S', ...mark }],
      tools: [
        { name: 'a', description: '', input_schema: { type: 'object' } },
        { name: 'b', description: '', input_schema: { type: 'object' }, ...mark },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
    });
  });
  it('put all results of a batch and the text after them into one turn, without empty text', () => {
    const call = (id: string) => ({ type: 'toolCall', id, name: 'f', arguments: {} }) as const;
    const messages = [
      userMessage('go', 1),
      said([
        { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' },
        { type: 'thinking', thinking: '', thinkingSignature: 'data', redacted: true },
        { type: 'thinking', thinking: 'unsigned' },
        textBlock('  '),
        call('a'),
        call('b'),
      ]),
      result('a', 'ok'),
      result('b', '', true),
      userMessage('and?', 2),
    ];
    const body = anthropicBody('m', { system: ' ', tools: [], messages }, options);
    expect(body).not.toHaveProperty('system');
    expect(body).not.toHaveProperty('tools');
    expect(body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'redacted_thinking', data: 'data' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
            { type: 'tool_use', id: 'b' },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              is_error: false,
              content: [{ type: 'text', text: 'ok' }],
            },
            { type: 'tool_result', tool_use_id: 'b', is_error: true },
            { type: 'text', text: 'and?', ...mark },
          ],
        },
      ],
    });
  });
});

const message = async (name: string) => {
  const found = recordings.find((one) => one.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  const events = await replay(found.adapter, [found.bytes], 'close');
  return { message: ending(events), end: events.at(-1) };
};

describe('Recorded Anthropic responses', () => {
  it('return thinking with its signature', async () => {
    const thinking = { type: 'thinking', thinking: 'Two steps: add, then halve.' };
    expect((await message('anthropic-thinking')).message.content).toEqual([
      { ...thinking, thinkingSignature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
      { type: 'text', text: 'It is 21.' },
    ]);
  });
  it('return redacted thinking', async () => {
    expect((await message('anthropic-redacted')).message.content[0]).toMatchObject({
      type: 'thinking',
      redacted: true,
      thinkingSignature: 'EmwKAhgBEgy3va3pzix/LafPsn4a',
    });
  });
  it('return parallel calls and cache usage', async () => {
    const { message: told } = await message('anthropic-parallel-calls');
    expect(told).toMatchObject({ responseId: 'msg_01E', usage: { input: 410, cacheRead: 350, output: 92 } });
    expect(told.content.slice(1)).toMatchObject([
      { name: 'read_file', arguments: { path: 'notes.md' } },
      { name: 'search_files', arguments: { pattern: 'café|"x"', max: 3 } },
    ]);
  });
  it('ignore unknown kinds of blocks and events', async () => {
    expect((await message('anthropic-other-blocks')).message.content).toEqual([
      { type: 'text', text: 'Found it.' },
    ]);
  });
  it('report an overload in mid-stream as retryable', async () => {
    expect((await message('anthropic-overloaded')).end).toMatchObject({
      failure: { retryable: true, status: 529, error: { code: 'unavailable' } },
      message: { content: [{ text: 'I was about' }] },
    });
  });
});

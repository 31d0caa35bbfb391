import { describe, expect, it } from 'vitest';
import { ending } from '../../../test/conformance/models/adapter-under-test.ts';
import { recordings, replay } from '../../../test/conformance/models/recordings.ts';
import { type AssistantMessage, noUsage, textBlock, userMessage } from '../../core/models/messages.ts';
import type { ThinkingLevel } from '../../core/models/model-ports.ts';
import { googleBody } from './google-request.ts';

const context = { system: 'S', tools: [], messages: [userMessage('hi', 1)] };
const thinking = (model: string, thinkingLevel: ThinkingLevel) => {
  const body = googleBody(model, context, { maxOutputTokens: 100, thinkingLevel }) as {
    generationConfig: { thinkingConfig?: unknown };
  };
  return body.generationConfig.thinkingConfig;
};

describe('Requests to Google', () => {
  it.each([
    ['gemini-2.0-flash', 'high', undefined],
    ['gemini-2.5-flash', 'off', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'off', { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-2.5-pro', 'medium', { includeThoughts: true, thinkingBudget: 8_192 }],
    ['gemini-3.8-flash', 'off', { includeThoughts: false, thinkingLevel: 'minimal' }],
    ['gemini-3.1-pro', 'minimal', { includeThoughts: true, thinkingLevel: 'low' }],
    ['gemini-4-argon', 'max', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemma-4', 'high', undefined],
  ] as const)('carry the thinking level: %s, %s', (model, level, expected) => {
    expect(thinking(model, level)).toEqual(expected);
  });

  const call = (id: string, thoughtSignature?: string) => ({
    ...({ type: 'toolCall', id, name: 'f', arguments: { x: 1 } } as const),
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  });
  const history = (content: AssistantMessage['content']) => ({
    ...context,
    messages: [
      {
        ...({ role: 'assistant', api: 'a', provider: 'p', model: 'm', content, usage: noUsage } as const),
        ...({ stopReason: 'toolUse', timestamp: 1 } as const),
      },
      {
        ...({ role: 'toolResult', toolCallId: 'a', toolName: 'f', isError: true, timestamp: 1 } as const),
        content: [textBlock('no such file'), { type: 'image', data: 'AA', mimeType: 'image/png' } as const],
      },
    ],
  });
  const contents = (model: string, content: AssistantMessage['content']) =>
    (
      googleBody(model, history(content), { maxOutputTokens: 1, thinkingLevel: 'off' }) as {
        contents: unknown[];
      }
    ).contents;

  it('return signatures on their own calls, and results by name and id', () => {
    expect(contents('gemini-3.8-flash', [call('a', 'sig'), call('b')])).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, thoughtSignature: 'sig' },
          { functionCall: { id: 'b', name: 'f', args: { x: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { error: 'no such file' } } },
          { inlineData: { mimeType: 'image/png', data: 'AA' } },
        ],
      },
    ]);
  });
  it('mark the first call of another model if a signature is required', () => {
    const parts = [{ thoughtSignature: 'skip_thought_signature_validator' }, {}];
    expect(contents('gemini-4-argon', [call('a'), call('b')])).toMatchObject([{ parts }, {}]);
    expect(JSON.stringify(contents('gemini-2.5-flash', [call('a')]))).not.toContain('skip_');
  });
});

const message = async (name: string) => {
  const found = recordings.find((one) => one.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  const events = await replay(found.adapter, [found.bytes], 'close');
  return { message: ending(events), end: events.at(-1) };
};

describe('Recorded Google responses', () => {
  it('return thinking, and text with its signature', async () => {
    const { message: told } = await message('google-thinking');
    expect(told.content).toEqual([
      { type: 'thinking', thinking: '**Plan** Add, then halve.' },
      { type: 'text', text: 'It is 21.', textSignature: 'CjEBVKhc7n2k' },
    ]);
    expect(told.usage).toMatchObject({ input: 20, output: 37, reasoning: 33 });
  });
  it('return calls, with a generated id if there is none', async () => {
    expect((await message('google-parallel-calls')).message.content).toMatchObject([
      { id: 'fc-1', arguments: { path: 'café.md' }, thoughtSignature: 'CiQBVKhc7' },
      { id: expect.stringMatching(/^call_/), name: 'list_channels', arguments: {} },
    ]);
  });
  it('return usage that arrives after the end', async () => {
    expect((await message('google-figures-last')).message).toMatchObject({
      stopReason: 'length',
      usage: { input: 20, output: 2 },
    });
  });
  it('report a refusal as not retryable', async () => {
    expect((await message('google-safety')).end).toMatchObject({
      failure: { retryable: false, error: { message: expect.stringMatching(/declined to answer.*SAFETY/) } },
      message: { content: [{ text: 'I would ' }] },
    });
  });
  it('report an overload in mid-stream as retryable', async () => {
    expect((await message('google-error')).end).toMatchObject({ failure: { retryable: true, status: 503 } });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../test/fakes/test-run.ts';
import { type HandOffTarget, handOff } from './hand-off.ts';
import {
  type AssistantContent,
  type AssistantMessage,
  type Message,
  noUsage,
  userMessage,
} from './messages.ts';

const claude: HandOffTarget = { api: 'anthropic-messages', provider: 'anthropic', model: 'c', vision: true };
const gpt: HandOffTarget = { api: 'openai-completions', provider: 'openai', model: 'g', vision: true };
const from = (
  { api, provider, model }: HandOffTarget,
  content: readonly AssistantContent[],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: 'assistant',
  api,
  provider,
  model,
  content,
  usage: noUsage,
  stopReason: 'stop',
  timestamp: 2,
  ...more,
});
const call = (id: string, more: object = {}) =>
  ({ type: 'toolCall', id, name: 'read_file', arguments: { path: 'a' }, ...more }) as const;
const result = (toolCallId: string, text = 'ok'): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'read_file',
  isError: false,
  timestamp: 3,
  content: [{ type: 'text', text }],
});

const history: readonly Message[] = [
  userMessage('hi', 1),
  from(claude, [
    { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
    { type: 'thinking', thinking: '', thinkingSignature: 'r', redacted: true },
    { type: 'text', text: 'I look.', textSignature: 't' },
    call('toolu_1', { thoughtSignature: 'x' }),
  ]),
  result('toolu_1'),
];

describe('Hand-off between models', () => {
  it('returns the history unchanged for the same model', () => {
    const out = handOff(history, claude);
    expect(out).toEqual(history);
    expect(out[1]).toBe(history[1]);
  });
  it('keeps text and calls for another model, and drops signatures and thinking', () => {
    const [, assistant] = handOff(history, gpt);
    expect(assistant).toMatchObject({ content: [{ type: 'text', text: 'I look.' }, call('toolu_1')] });
    expect(JSON.stringify(assistant)).not.toMatch(/Signature|thinking|hm/);
  });
  it('drops failed and aborted replies with their results', () => {
    for (const stopReason of ['error', 'aborted'] as const) {
      const out = handOff(
        [userMessage('hi', 1), from(claude, [call('a')], { stopReason }), result('a')],
        claude,
      );
      expect(out).toEqual([userMessage('hi', 1)]);
    }
  });
  it('adds an error result for a call without a result', () => {
    const out = handOff([from(claude, [call('a'), call('b')]), result('b'), userMessage('go on', 9)], claude);
    expect(out).toMatchObject([
      { role: 'assistant' },
      {
        role: 'toolResult',
        toolCallId: 'a',
        isError: true,
        content: [{ text: expect.stringMatching(/No result/) }],
      },
      { role: 'toolResult', toolCallId: 'b', isError: false },
      { role: 'user' },
    ]);
  });
  it('puts results in call order right after their message, also with a user message between', () => {
    const out = handOff(
      [from(claude, [call('a'), call('b')]), userMessage('wait', 4), result('b'), result('a')],
      claude,
    );
    expect(out.map((message) => (message.role === 'toolResult' ? message.toolCallId : message.role))).toEqual(
      ['assistant', 'a', 'b', 'user'],
    );
  });
  it('makes call ids unique if a server reuses them in every reply', () => {
    const out = handOff(
      [
        from(gpt, [call('call_0')]),
        result('call_0', 'one'),
        from(gpt, [call('call_0')]),
        result('call_0', 'two'),
      ],
      claude,
    );
    const results = out.filter((message) => message.role === 'toolResult');
    expect(results).toMatchObject([{ content: [{ text: 'one' }] }, { content: [{ text: 'two' }] }]);
    expect(new Set(results.map((message) => message.toolCallId)).size).toBe(2);
  });
  it('replaces images with a sentence for a model without vision', () => {
    const picture: Message = {
      role: 'user',
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
      timestamp: 1,
    };
    expect(handOff([picture], { ...gpt, vision: false })).toMatchObject([
      { content: [{ type: 'text', text: expect.stringMatching(/cannot see images/) }] },
    ]);
    expect(handOff([picture], { ...gpt, vision: null })[0]).toBe(picture);
  });

  const id = fc.oneof(
    fc.constantFrom('call_0', 'a', 'toolu_01|fc_9', 'x'.repeat(80)),
    fc.string({ maxLength: 90 }),
  );
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('call' as const),
      ids: fc.array(id, { maxLength: 3 }),
      fails: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('result' as const), id }),
    fc.record({ kind: fc.constant('user' as const) }),
  );
  it(`gives every call exactly one following result with a valid unique id (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.constantFrom(claude, gpt), (steps, target) => {
        const messages = steps.map((one): Message => {
          if (one.kind === 'user') return userMessage('u', 1);
          if (one.kind === 'result') return result(one.id);
          const other = { ...target, model: 'another' };
          return from(
            other,
            one.ids.map((callId) => call(callId)),
            { stopReason: one.fails ? 'error' : 'toolUse' },
          );
        });
        const out = handOff(messages, target);
        const seen = new Set<string>();
        let due: string[] = [];
        for (const message of out) {
          if (message.role === 'toolResult') {
            expect(due.shift()).toBe(message.toolCallId);
            continue;
          }
          expect(due).toEqual([]);
          if (message.role !== 'assistant') continue;
          due = message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));
          for (const one of due) {
            expect(one).toMatch(target === gpt ? /^[\w-]{1,40}$/ : /^[\w-]{1,64}$/);
            expect(seen.has(one)).toBe(false);
            seen.add(one);
          }
        }
        expect(due).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

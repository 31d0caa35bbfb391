import { describe, expect, it } from 'vitest';
import { createAgentRig, createRecordingJournal, shortly } from '../../../test/fakes/agent-rig.ts';
import { says } from '../../../test/fakes/scripted-stream.ts';
import { type AssistantMessage, noUsage, type ToolResultMessage, userMessage } from '../models/messages.ts';
import type { CallIntent } from '../models/transcript-store.ts';
import { recover } from './recover.ts';

const asked = userMessage('go', 1);

const answer = (
  ids: readonly string[],
  stopReason: AssistantMessage['stopReason'] = 'toolUse',
): AssistantMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'echo', arguments: { text: id } })),
  api: 'a',
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason,
  timestamp: 2,
});

const result = (id: string): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'echo',
  content: [{ type: 'text', text: `done ${id}` }],
  isError: false,
  timestamp: 3,
});

const intent = (callId: string, replay: CallIntent['replay']): CallIntent => ({
  callId,
  turnId: 't1',
  tool: 'echo',
  digest: 'd',
  args: {},
  replay,
  at: 2,
});

const finished: AssistantMessage = { ...answer([], 'stop'), content: [{ type: 'text', text: 'done' }] };

describe('recover', () => {
  it.each([
    ['nothing at all', [], [], { unfinished: false, rerun: [], texts: [] }],
    [
      'a finished answer',
      [asked, finished],
      [],
      { unfinished: false, rerun: [], texts: ['user:go', 'assistant:done'] },
    ],
    ['a question without an answer', [asked], [], { unfinished: true, rerun: [], texts: ['user:go'] }],
    [
      'calls that never began',
      [asked, answer(['c1'])],
      [],
      { unfinished: true, rerun: ['c1'], texts: ['user:go', 'assistant:c1()', 'note'] },
    ],
    [
      'one ended, one begun and safe, one not begun',
      [asked, answer(['c1', 'c2', 'c3']), result('c2')],
      [intent('c1', 'safe')],
      {
        unfinished: true,
        rerun: ['c1', 'c3'],
        texts: ['user:go', 'assistant:c1() c2() c3()', 'toolResult:done c2', 'note'],
      },
    ],
    [
      'one begun that must not be repeated (F1)',
      [asked, answer(['c1', 'c2']), result('c2')],
      [intent('c1', 'never')],
      {
        unfinished: true,
        rerun: [],
        texts: [
          'user:go',
          'assistant:c1() c2()',
          'toolResult!:The outcome of echo is unknown',
          'toolResult:done c2',
          'note',
        ],
      },
    ],
    [
      'all ended, in another order than called',
      [asked, answer(['c1', 'c2']), result('c2'), result('c1')],
      [],
      {
        unfinished: true,
        rerun: [],
        texts: ['user:go', 'assistant:c1() c2()', 'toolResult:done c1', 'toolResult:done c2', 'note'],
      },
    ],
    [
      'an answer that failed',
      [asked, answer(['c1'], 'aborted')],
      [],
      { unfinished: false, rerun: [], texts: ['user:go', 'assistant:c1()'] },
    ],
  ])('continues from %s', (_what, loaded, open, expected) => {
    const { messages, rerun, unfinished } = recover(loaded, open, 9);
    expect(unfinished).toBe(expected.unfinished);
    expect(rerun.map((call) => call.id)).toEqual(expected.rerun);
    expect(messages.map(shortly)).toEqual(expected.texts.map((text) => expect.stringContaining(text)));
  });

  it('ignores intents without a call, and reorders older batches too', () => {
    const loaded = [
      asked,
      answer(['c1', 'c2']),
      result('c2'),
      result('c1'),
      finished,
      userMessage('next', 5),
    ];
    const { messages, rerun, added } = recover(loaded, [intent('gone', 'never')], 9);
    expect(messages.map(shortly).slice(2, 4)).toEqual(['toolResult:done c1', 'toolResult:done c2']);
    expect([rerun, added]).toEqual([[], []]);
  });

  it('prepares an agent that runs the unstarted calls once and replies', async () => {
    const journal = createRecordingJournal();
    const { messages } = recover([asked, answer(['c1', 'c2'])], [intent('c1', 'never')], 9);
    const rig = createAgentRig([says('done')], { messages, journal });
    await rig.agent.continue();
    expect(journal.entries).toEqual([
      'started c2 echo never',
      'ended c2 toolResult:echo c2',
      'added assistant:done',
    ]);
    const roles = rig.model.requests[0]?.context.messages.map((one) => one.role);
    expect(roles).toEqual(['user', 'assistant', 'toolResult', 'toolResult']);
  });
});

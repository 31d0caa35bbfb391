import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ToolStep } from '../../contract/work.ts';
import {
  type AssistantMessage,
  noUsage,
  type ToolResultMessage,
  textBlock,
  userMessage,
} from '../../core/models/messages.ts';
import type { CallIntent } from '../../core/models/transcript-store.ts';
import type { AccountStore, TurnOutcome, TurnTaken } from '../../core/puffo/account-store.ts';
import { openAccountStore } from './account-store.ts';

const slug = 'helper-9a7c';
const key = new Uint8Array(32).fill(7);
const thread = 'ch|ch_1|msg_1';

let folder: string;
eachTestInFolder('kennel-transcript-', (made) => {
  folder = made;
});

const open = (): AccountStore =>
  openAccountStore({
    path: path.join(folder, 'messages.db'),
    slug,
    key,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });

const stores: readonly [string, () => AccountStore][] = [
  ['SQLite', open],
  ['memory', () => createMemoryAccountStore(slug)],
];

const said = (text: string): AssistantMessage => ({
  role: 'assistant',
  content: [textBlock(text), { type: 'toolCall', id: 'c1', name: 'write_file', arguments: { path: 'a' } }],
  api: 'scripted',
  provider: 'scripted',
  model: 'm',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp: 2,
});
const result = (toolCallId: string): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'write_file',
  content: [textBlock('done')],
  details: { lines: 3 },
  isError: false,
  timestamp: 3,
});
const intent = (callId: string): CallIntent => ({
  callId,
  turnId: 't1',
  tool: 'write_file',
  digest: 'd',
  args: { path: 'a' },
  replay: 'never',
  at: 4,
});
const turn: TurnTaken = {
  turnId: 't1',
  threadKey: thread,
  roomId: 'ch_1',
  rootId: 'msg_1',
  envelopeIds: ['msg_1'],
  startedAt: 9,
};
const ending: TurnOutcome = {
  turnId: 't1',
  threadKey: thread,
  envelopeIds: ['msg_1'],
  detail: '',
  status: 'done',
  replies: [],
  transcript: [],
  steps: [],
  at: 1,
};
const accepted = (store: AccountStore): void => {
  const decision = { react: true, reason: 'mention', priority: 1 } as const;
  store.accept([{ message: sampleMessage(), decision }]);
};

describe.each(stores)('Transcripts in %s', (_name, make) => {
  it('return a thread unchanged, and separate from other threads', () => {
    const { transcripts } = make();
    const messages = [userMessage('hi', 1), said('let me see'), result('c1')];
    transcripts.append(thread, messages);
    transcripts.append('dm|bob', [userMessage('other', 1)]);
    expect(transcripts.load(thread)).toEqual(messages.map((message, at) => ({ seq: at + 1, message })));
    expect(transcripts.load('nowhere')).toEqual([]);
  });

  it('list started calls until their result is stored', () => {
    const { transcripts } = make();
    transcripts.callStarted(thread, intent('c1'));
    transcripts.callStarted(thread, intent('c2'));
    expect(transcripts.openCalls(thread)).toEqual([intent('c1'), intent('c2')]);
    transcripts.callEnded(thread, 'c1', result('c1'));
    expect(transcripts.openCalls(thread)).toEqual([intent('c2')]);
    expect(transcripts.load(thread).map(({ message }) => message)).toEqual([result('c1')]);
    // A repeated id is a new call.
    transcripts.callStarted(thread, intent('c1'));
    expect(transcripts.openCalls(thread).map(({ callId }) => callId)).toEqual(['c2', 'c1']);
  });

  it('load from the newest compaction on, with its summary first', () => {
    const { transcripts } = make();
    transcripts.append(
      thread,
      [1, 2, 3, 4, 5].map((n) => userMessage(`${n}`, n)),
    );
    transcripts.compact(thread, 4, userMessage('all before', 6));
    transcripts.append(thread, [userMessage('6', 7)]);
    const texts = () => transcripts.load(thread).map(({ seq, message }) => [seq, message.timestamp]);
    expect(texts()).toEqual([
      [3, 6],
      [4, 4],
      [5, 5],
      [6, 7],
    ]);
    transcripts.compact(thread, 6, userMessage('shorter still', 8));
    expect(texts()).toEqual([
      [5, 8],
      [6, 7],
    ]);
  });

  it('open a turn with its message, extend it, and end it with its messages in one transaction (I2)', () => {
    const store = make();
    accepted(store);
    store.transcripts.append(thread, [userMessage('long ago', 1)]);
    store.takeIntoTurn(turn, userMessage('hello', 2));
    expect(store.openTurn(thread)).toEqual({ ...turn, firstSeq: 2 });
    store.takeIntoTurn({ ...turn, envelopeIds: ['msg_1', 'msg_2'] }, userMessage('and', 3));
    expect(store.openTurns()).toEqual([{ ...turn, envelopeIds: ['msg_1', 'msg_2'], firstSeq: 2 }]);
    store.transcripts.callStarted(thread, intent('c1'));
    store.completeTurn({ ...ending, transcript: [said('bye')] });
    expect(store.openTurns()).toEqual([]);
    expect(store.transcripts.openCalls(thread)).toEqual([]);
    expect(store.transcripts.load(thread)).toHaveLength(4);
    store.completeTurn({ ...ending, transcript: [said('bye again')] });
    expect(store.transcripts.load(thread)).toHaveLength(4);
  });

  it('store the steps of a turn under the given message', () => {
    const store = make();
    accepted(store);
    const step: ToolStep = {
      callId: 'c1',
      tool: 'write_file',
      title: 'wrote a',
      state: 'done',
      detail: '',
      approvalId: null,
      startedAt: 1,
      endedAt: 2,
    };
    store.completeTurn({ ...ending, steps: [step], stepsUnder: 'msg_sent' });
    expect(store.steps('msg_sent')).toEqual([step]);
    expect(store.steps('msg_1')).toEqual([]);
  });

  it('lets a message be asked again once its turn has ended, and not before', () => {
    const store = make();
    accepted(store);
    expect(store.askAgain('msg_1')).toBe(false);
    store.takeIntoTurn(turn, userMessage('hello', 2));
    store.completeTurn({ ...ending, status: 'failed', detail: 'refused' });
    expect(store.openWork()).toEqual([]);
    expect(store.askAgain('msg_1')).toBe(true);
    expect(store.decision('msg_1')).toMatchObject({ status: 'open', detail: '' });
    expect(store.openWork()).toHaveLength(1);
    expect(store.askAgain('msg_none')).toBe(false);
  });

  it('reopen a message that needed no turn, once', () => {
    const store = make();
    const decision = { react: false, reason: 'agent_brake', priority: 2 } as const;
    store.accept([{ message: sampleMessage(), decision }]);
    store.reopen('msg_1', 'continued');
    expect(store.openWork().map(({ message }) => message.envelopeId)).toEqual(['msg_1']);
    expect(store.decision('msg_1')).toMatchObject({ react: true, reason: 'continued', status: 'open' });
    store.completeTurn(ending);
    store.reopen('msg_1', 'continued');
    expect(store.openWork()).toEqual([]);
  });
});

describe('Transcripts on disk', () => {
  it('F1 are complete after the file is reopened', () => {
    const first = open();
    accepted(first);
    first.takeIntoTurn(turn, userMessage('hello', 2));
    first.transcripts.callStarted(thread, intent('c1'));
    first.release();
    const second = open();
    expect(second.openTurns()).toEqual([{ ...turn, firstSeq: 1 }]);
    expect(second.transcripts.openCalls(thread)).toEqual([intent('c1')]);
    second.release();
  });

  it('T26 store any JSON in arguments and details', () => {
    const store = open();
    const { transcripts } = store;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const plain = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
        transcripts.callStarted('t', { ...intent('c'), args: plain });
        transcripts.callEnded('t', 'c', { ...result('c'), details: plain });
        expect(JSON.stringify(transcripts.load('t').at(-1)?.message)).toBe(
          JSON.stringify({ ...result('c'), details: plain }),
        );
      }),
      { numRuns: 100 },
    );
    store.release();
  });
});

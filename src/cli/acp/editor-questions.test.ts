import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Approval } from '../../contract/approvals.ts';
import { ok } from '../../contract/result.ts';
import type { EditorRequest } from './editor-port.ts';
import { EditorQuestions } from './editor-questions.ts';

const approval = (id: string, over: Partial<Approval> = {}): Approval => ({
  id,
  kind: 'tool',
  agentId: 'guide',
  agentName: 'Guide',
  subject: 'write_file',
  title: 'wants to write a.md',
  preview: { kind: 'diff', body: '@@ -0,0 +1 @@\n+hello' },
  argsJson: '{"path":"a.md"}',
  effects: [{ kind: 'write', path: '/w/a.md' }],
  digest: `digest of ${id}`,
  risk: 'low',
  why: '',
  where: '/w',
  sandbox: null,
  roomId: 'dm:guide-1~cv_12345678',
  threadRootId: null,
  createdAt: 0,
  expiresAt: 9_000_000_000_000,
  state: 'waiting',
  quietUntil: null,
  offers: [{ scope: 'once', rule: 'this call' }],
  decision: null,
  ...over,
});

interface Asked {
  readonly request: EditorRequest;
  readonly signal: AbortSignal;
  answer(optionId: string): void;
}

function rig(callOf: (id: string) => string | null = (id) => `call of ${id}`) {
  const asked: Asked[] = [];
  const decided: unknown[] = [];
  const told: string[] = [];
  const questions = new EditorQuestions({
    agentId: 'guide',
    roomId: 'dm:guide-1~cv_12345678',
    callOf,
    client: {
      call: async (method, input) => {
        decided.push({ method, input });
        return ok({}) as never;
      },
    },
    editor: {
      update: (update) => void told.push(update.sessionUpdate),
      log: (text) => void told.push(text),
      ask: (request, signal) =>
        new Promise<RequestPermissionResponse>((resolve, reject) => {
          const answer = (optionId: string): void => resolve({ outcome: { outcome: 'selected', optionId } });
          asked.push({ request, signal, answer });
          signal.addEventListener('abort', () => reject(new Error('withdrawn')));
        }),
    },
  });
  const wait = (...all: readonly Approval[]): void =>
    questions.waiting(Object.fromEntries(all.map((one) => [one.id, one])));
  return { asked, decided, told, questions, wait };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('asks while a prompt runs, once, and only about this agent and conversation', () => {
  const { asked, questions, wait } = rig();
  const others = [approval('b', { agentId: 'scribe' }), approval('c', { roomId: 'dm:guide-1' })];
  wait(approval('a'), ...others);
  expect(asked).toEqual([]);
  questions.open();
  questions.look();
  expect(asked.map(({ request }) => request.toolCall.toolCallId)).toEqual(['call of a']);
});

it('decides with the digest that was shown, and nothing for an option that was not offered', async () => {
  const { asked, decided, told, questions, wait } = rig();
  questions.open();
  wait(approval('a'), approval('b', { preview: { kind: 'text', body: 'x', cut: true } }));
  asked[0]?.answer('once');
  asked[1]?.answer('once');
  await vi.advanceTimersByTimeAsync(0);
  const answer = { type: 'allow', scope: 'once' };
  const input = { id: 'a', digest: 'digest of a', answer, surface: 'editor' };
  expect(decided).toEqual([{ method: 'approvals.decide', input }]);
  expect(told).toEqual([expect.stringContaining('not offered')]);
});

it('withdraws a question that was answered elsewhere, and all of them at the end of the prompt', async () => {
  const { asked, decided, told, questions, wait } = rig();
  questions.open();
  wait(approval('a'), approval('b'));
  wait(approval('b'));
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  questions.close();
  expect(asked[1]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([decided, told]).toEqual([[], []]);
});

it('waits for the tool call, but not for ever', async () => {
  const { asked, questions, wait } = rig(() => null);
  questions.open();
  wait(approval('a'));
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(asked.map(({ request }) => request.toolCall.toolCallId)).toEqual(['question-a']);
});

it('leaves a question that needs more than yes or no to Kennel', () => {
  const { asked, told, questions, wait } = rig();
  questions.open();
  wait(approval('a', { kind: 'question' }));
  expect([asked, told]).toEqual([[], ['agent_thought_chunk']]);
});

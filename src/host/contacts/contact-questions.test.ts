import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { createProblems } from '../problems.ts';
import { ContactQuestions } from './contact-questions.ts';

const yes: GateDecision = { type: 'allow', by: 'operator', receiptId: 'rc_1' };
const no = (by: 'operator' | 'policy' | 'expiry'): GateDecision => ({ type: 'deny', reason: 'no', by });
const mallory = { server: 'https://relay.test', slug: 'mallory' };
const held = { slug: 'mallory', displayName: 'Mallory', since: 1, messages: 1, excerpt: 'hello' };
const bot = { id: 'bot', name: 'Bot' };

function rig() {
  const clock = createVirtualClock();
  const problems = createProblems(clock, () => undefined);
  const answers: ((answer: GateDecision) => void)[] = [];
  const decided: string[] = [];
  const audit = { works: true, throws: false };
  /** ms since the epoch of the last decision, as the store has it, and as the applied answers had it. */
  const times: { decidedAt: number; applied: number[] } = { decidedAt: 0, applied: [] };
  const questions = new ContactQuestions({
    clock,
    log: createRecordingLog(),
    problems,
    ask: (_question, signal) =>
      new Promise((resolve) => {
        answers.push(resolve);
        signal.addEventListener('abort', () => resolve(no('expiry')), { once: true });
      }),
    decidedAt: () => times.decidedAt,
    async decide({ slug }, decision, askedAt) {
      if (audit.throws) throw new StoreError('disk_full', 'The disk is full.');
      if (!audit.works) return err(textError('io_error', 'The audit log could not be written.'));
      decided.push(`${slug} ${decision}`);
      times.applied.push(askedAt);
      return ok(0);
    },
  });
  questions.ask(bot, mallory, held);
  return {
    clock,
    questions,
    decided,
    audit,
    times,
    asked: () => answers.length,
    shown: () => problems.list().map(({ message }) => message),
    async answer(given: GateDecision) {
      answers.at(-1)?.(given);
      await settle();
    },
  };
}

it.each([
  ['no', no('operator'), 'mallory blocked'],
  ['yes', yes, 'mallory accepted'],
])(
  'T9 A %s is retried and shown as pending until its audit line is written',
  async (_name, given, outcome) => {
    const { answer, audit, clock, decided, questions, asked, shown } = rig();
    audit.works = false;
    await answer(given);
    expect(shown()).toEqual([
      'Your answer about mallory could not be recorded: The audit log could not be written.',
    ]);
    expect(questions.isAsked(mallory)).toBe(true);
    await clock.advance(30_000);
    expect([decided, shown().length]).toEqual([[], 1]);
    audit.works = true;
    await clock.advance(30_000);
    expect([decided, shown()]).toEqual([[outcome], []]);
    expect([questions.isAsked(mallory), asked(), clock.pending()]).toEqual([false, 1, 0]);
  },
);

it('T9 An answer is retried if the store throws', async () => {
  const { answer, audit, clock, decided } = rig();
  audit.throws = true;
  await answer(yes);
  audit.throws = false;
  await clock.advance(30_000);
  expect(decided).toEqual(['mallory accepted']);
});

it('An unrecorded answer is dropped on a later command, agent stop or host stop', async () => {
  for (const end of ['command', 'agent', 'host'] as const) {
    const { answer, audit, clock, decided, questions, shown } = rig();
    audit.works = false;
    await answer(yes);
    if (end === 'command') questions.decided(mallory, 'blocked');
    else if (end === 'agent') questions.agentStopped('bot');
    else questions.stop();
    await settle();
    audit.works = true;
    await clock.advance(60_000);
    expect([decided, shown(), questions.isAsked(mallory), clock.pending()], end).toEqual([[], [], false, 0]);
  }
});

it('T9 A contact question that could not be recorded is asked again', async () => {
  const { answer, asked, clock, decided, shown } = rig();
  await answer(no('policy'));
  expect([asked(), shown()]).toEqual([1, ['The question about mallory could not be asked: no']]);
  await clock.advance(30_000);
  expect([asked(), shown().length]).toEqual([2, 0]);
  await answer(no('operator'));
  expect(decided).toEqual(['mallory blocked']);
});

it('An expired contact question decides nothing and can be asked again', async () => {
  const { answer, asked, decided, questions } = rig();
  await answer(no('expiry'));
  expect([decided, asked(), questions.isAsked(mallory)]).toEqual([[], 1, false]);
  questions.ask(bot, mallory, held);
  expect(asked()).toBe(2);
});

it('T9 An answer applies with the time of the last decision that its question was asked with', async () => {
  const { answer, audit, clock, decided, times } = rig();
  audit.works = false;
  await answer(yes);
  times.decidedAt = 7;
  audit.works = true;
  await clock.advance(30_000);
  expect([decided, times.applied]).toEqual([['mallory accepted'], [0]]);
});

it('An open contact question is asked anew if the operator forgets the person', async () => {
  const { answer, asked, decided, questions, times } = rig();
  times.decidedAt = 7;
  questions.decided(mallory, 'unknown');
  await settle();
  expect([asked(), questions.isAsked(mallory)]).toEqual([2, true]);
  await answer(yes);
  expect([decided, times.applied]).toEqual([['mallory accepted'], [7]]);
});

it('Contact questions that could not be recorded do not use up the hourly quota', async () => {
  const { answer, asked, clock, questions } = rig();
  for (let tries = 0; tries < 25; tries += 1) {
    await answer(no('policy'));
    await clock.advance(30_000);
  }
  expect(asked()).toBe(26);
  for (let tries = 0; tries < 25; tries += 1) {
    await answer(no('expiry'));
    questions.ask(bot, mallory, held);
  }
  expect(asked()).toBe(25 + 20);
});

import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { type AppError, textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { englishText } from '../../language/host-message.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import { createInviteQuestions } from './invite-questions.ts';

const invite = (n: number, change: Partial<Invite> = {}): Invite => ({
  eventId: `ev_${n}`,
  scope: 'space',
  spaceId: `sp_${n}`,
  channelId: null,
  inviterSlug: 'mallory-1',
  spaceName: 'Trap',
  channelName: '',
  ...change,
});

function rig() {
  const asked: { question: Question; signal: AbortSignal; answer(decision: GateDecision): void }[] = [];
  const answers: [string, boolean][] = [];
  const said: string[] = [];
  const clock = createVirtualClock();
  const server: { refuses: AppError | null; looks: number } = { refuses: null, looks: 0 };
  const questions = createInviteQuestions({
    agent: { id: 'guide', serverUrl: 'http://relay.test', name: () => 'Guide' },
    log: createRecordingLog(),
    clock,
    random: createSeededRandom(3),
    ask: (question, signal) =>
      new Promise((answer) => {
        asked.push({ question, signal, answer });
      }),
    server: {
      answer: async ({ eventId }, accepts) => {
        answers.push([eventId, accepts]);
        return server.refuses ? err(server.refuses) : ok(undefined);
      },
      confirm: (_invite, text) => said.push(text),
      lookAgain: () => {
        server.looks += 1;
      },
    },
  });
  return { questions, asked, answers, said, clock, server };
}

const yes: GateDecision = { type: 'allow', by: 'operator', receiptId: null };
const no = (by: 'operator' | 'expiry' | 'cancelled'): GateDecision => ({ type: 'deny', by, reason: '' });

describe('Invitation from someone other than the operator', () => {
  it.each([
    ['a yes is accepted', yes, [['ev_1', true]]],
    ['a no is told to the server', no('operator'), [['ev_1', false]]],
    ['nobody answers, it stays open', no('expiry'), []],
    ['the agent stops, it stays open', no('cancelled'), []],
  ] as const)('is asked about; %s (T8)', async (_name, decision, expected) => {
    const { questions, asked, answers } = rig();
    questions.heard([invite(1)]);
    expect(answers).toEqual([]);
    expect(asked[0]?.question).toMatchObject({
      kind: 'invitation',
      agentId: 'guide',
      key: 'invitation:ev_1',
    });
    asked[0]?.answer(decision);
    await settle();
    expect(answers).toEqual(expected);
  });

  it('T8: is asked about at most twenty times an hour if invitations come and go', async () => {
    const { questions, asked, clock, server } = rig();
    for (let n = 0; n < 200; n += 1) {
      questions.heard([invite(n)]);
      questions.heard([]);
      asked.at(-1)?.answer(no('cancelled'));
      await settle(2);
    }
    expect(asked).toHaveLength(20);
    questions.heard([invite(1_000)]);
    expect(asked).toHaveLength(20);
    const before = server.looks;
    await clock.advance(3_600_000);
    expect(server.looks).toBe(before + 1);
    questions.heard([invite(1_000)]);
    expect(asked.at(-1)?.question.key).toBe('invitation:ev_1000');
  });

  it('shows names in quotes, so a name cannot add lines to the question', () => {
    const { questions, asked } = rig();
    const name = 'Home"\nInvited by: "you';
    questions.heard([invite(1, { scope: 'channel', channelId: 'ch_1', spaceName: name, channelName: name })]);
    const body = asked[0]?.question.preview.body ?? '';
    expect(body.split('\n')).toHaveLength(3);
    expect(body).toContain('Space: "Home\\"\\nInvited by: \\"you"');
    expect(englishText(asked[0]?.question.title ?? '')).not.toContain('Home');
  });

  it('is asked about for five at once; the others stay at the server', async () => {
    const { questions, asked, server } = rig();
    const all = Array.from({ length: 20 }, (_, n) => invite(n));
    questions.heard(all);
    questions.heard(all);
    expect(asked).toHaveLength(5);
    asked[0]?.answer(yes);
    await settle();
    expect(server.looks).toBe(1);
    questions.heard(all.slice(1));
    expect(asked).toHaveLength(6);
  });

  it('is asked about once per run, even after expiry', async () => {
    const { questions, asked, answers } = rig();
    questions.heard([invite(1)]);
    asked[0]?.answer(no('expiry'));
    await settle();
    questions.heard([invite(1)]);
    expect(asked).toHaveLength(1);
    expect(answers).toEqual([]);
  });

  it('reports the answer and the server result under the question', async () => {
    const { questions, asked, said, server } = rig();
    questions.heard([invite(1), invite(2), invite(3)]);
    asked[0]?.answer(yes);
    await settle();
    asked[1]?.answer(no('operator'));
    await settle();
    server.refuses = textError('conflict', 'mallory-1 has left the space.');
    asked[2]?.answer(yes);
    await settle();
    expect(said).toEqual([
      'Done: I have joined the space `Trap`.',
      'Done: I have turned down the space `Trap`.',
      'That did not work: `mallory-1 has left the space.` Nothing was changed.',
    ]);
  });

  it('T8: reports names and errors of strangers in one code span each, on one line', async () => {
    const { questions, asked, said, server } = rig();
    const spaceName = 'x`\n\n**Paid:** [here](https://evil.example)\u202e';
    questions.heard([{ ...invite(1), spaceName }, invite(2)]);
    asked[0]?.answer(yes);
    await settle();
    server.refuses = textError('conflict', 'no`\n# Kennel');
    asked[1]?.answer(yes);
    await settle();
    for (const text of said) expect(text).toMatch(/^[^`\n\u202e]+`[^`\n\u202e]+`[^`\n\u202e]+$/);
    expect(said[0]).toContain('`x[U+0060][U+000A]');
  });

  it('F9: retries an undelivered answer without another question', async () => {
    const { questions, asked, answers, said, clock, server } = rig();
    questions.heard([invite(1)]);
    server.refuses = textError('unavailable', 'The line is dead.');
    asked[0]?.answer(yes);
    await clock.advance(60_000);
    expect(answers.length).toBeGreaterThan(2);
    expect(said).toEqual([]);
    server.refuses = null;
    questions.heard([invite(1)]);
    await clock.advance(300_000);
    const tried = answers.length;
    expect(said).toHaveLength(1);
    await clock.advance(600_000);
    expect([answers.length, asked.length]).toEqual([tried, 1]);
  });

  it('is withdrawn if the server no longer lists it, and asked again if it returns', async () => {
    const { questions, asked, answers } = rig();
    questions.heard([invite(1), invite(2)]);
    questions.heard([invite(2)]);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    asked[0]?.answer(no('cancelled'));
    await settle();
    questions.heard([invite(1), invite(2)]);
    expect(asked).toHaveLength(3);
    expect(answers).toEqual([]);
  });

  it('is withdrawn when the agent stops', () => {
    const { questions, asked } = rig();
    questions.heard([invite(1)]);
    questions.stop();
    expect(asked[0]?.signal.aborted).toBe(true);
    questions.heard([invite(2)]);
    expect(asked).toHaveLength(1);
  });
});

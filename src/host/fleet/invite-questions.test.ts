import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { ok } from '../../contract/result.ts';
import type { Question } from '../../core/approvals/centre.ts';
import type { GateDecision } from '../../core/tool-ports.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import { createInviteQuestions } from './invite-questions.ts';

const invite = (n: number, change: Partial<Invite> = {}): Invite => ({
  ...{ eventId: `ev_${n}`, scope: 'space', spaceId: `sp_${n}`, channelId: null },
  ...{ inviterSlug: 'mallory-1', spaceName: 'Trap', channelName: '' },
  ...change,
});

function rig() {
  const asked: { question: Question; signal: AbortSignal; answer(decision: GateDecision): void }[] = [];
  const answers: [string, boolean][] = [];
  const questions = createInviteQuestions({
    ...{ agentId: 'guide', serverUrl: 'http://relay.test', log: createRecordingLog() },
    agentName: () => 'Guide',
    ask: (question, signal) =>
      new Promise((answer) => {
        asked.push({ question, signal, answer });
      }),
    answer: async ({ eventId }, accepts) => {
      answers.push([eventId, accepts]);
      return ok(undefined);
    },
  });
  return { questions, asked, answers };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const yes: GateDecision = { type: 'allow', by: 'operator', receiptId: null };
const no = (by: 'operator' | 'expiry' | 'cancelled'): GateDecision => ({ type: 'deny', by, reason: '' });

describe('an invitation that is not from the operator', () => {
  it.each([
    ['a yes is accepted', yes, [['ev_1', true]]],
    ['a no is told to the server', no('operator'), [['ev_1', false]]],
    ['nobody answers, it stays open', no('expiry'), []],
    ['the agent stops, it stays open', no('cancelled'), []],
  ] as const)('is asked about; where %s (T8)', async (_name, decision, expected) => {
    const { questions, asked, answers } = rig();
    questions.heard(invite(1));
    expect(answers).toEqual([]);
    expect(asked[0]?.question).toMatchObject({
      kind: 'invitation',
      agentId: 'guide',
      key: 'invitation:ev_1',
    });
    asked[0]?.answer(decision);
    await settled();
    expect(answers).toEqual(expected);
  });

  it('names people and places in quotes, so that no name speaks for Kennel', () => {
    const { questions, asked } = rig();
    const name = 'Home"\nInvited by: "you';
    questions.heard(invite(1, { scope: 'channel', channelId: 'ch_1', spaceName: name, channelName: name }));
    const body = asked[0]?.question.preview.body ?? '';
    expect(body.split('\n')).toHaveLength(3);
    expect(body).toContain('Space: "Home\\"\\nInvited by: \\"you"');
    expect(asked[0]?.question.title).not.toContain('Home');
  });

  it('does not fill the inbox: five are asked about, the others wait', async () => {
    const { questions, asked } = rig();
    for (let n = 0; n < 20; n += 1) questions.heard(invite(n));
    expect(asked).toHaveLength(5);
    asked[0]?.answer(yes);
    await settled();
    questions.heard(invite(20));
    expect(asked).toHaveLength(6);
  });

  it('is withdrawn with the agent', () => {
    const { questions, asked } = rig();
    questions.heard(invite(1));
    questions.stop();
    expect(asked[0]?.signal.aborted).toBe(true);
    questions.heard(invite(2));
    expect(asked).toHaveLength(1);
  });
});

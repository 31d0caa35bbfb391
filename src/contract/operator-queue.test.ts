import { describe, expect, it } from 'vitest';
import { approval as anApproval } from '../../test/renderer/ask-data.ts';
import type { AgentSummary, Problem } from './model.ts';
import { type QueueInput, queueItems } from './operator-queue.ts';

const agent = (id: string, change: Partial<AgentSummary> = {}): AgentSummary => ({
  id,
  slug: id,
  displayName: id,
  avatarUrl: '',
  role: '',
  roleShort: '',
  dot: 'idle',
  life: 'running',
  connection: 'online',
  activity: '',
  since: 1,
  runtimeKind: 'chat-local',
  provider: 'openai',
  model: 'm',
  scripted: false,
  messageCount: 0,
  lastEventAt: null,
  error: null,
  configError: null,
  restartAt: null,
  waiting: 0,
  spentToday: { tokens: 0, usd: 0, unpriced: 0, simulated: false },
  ...change,
});
const problem = (id: string, change: Partial<Problem> = {}): Problem => ({
  id,
  severity: 'warning',
  message: id,
  at: 1,
  ...change,
});
const keys = (change: Partial<QueueInput>): string[] =>
  queueItems({
    approvals: {},
    agents: {},
    brakes: [],
    problems: [],
    invites: [],
    now: 100,
    ...change,
  }).map(({ key }) => key);
const byId = (...agents: readonly AgentSummary[]) => Object.fromEntries(agents.map((one) => [one.id, one]));
const failure = (message: string) => ({ code: 'internal' as const, message });

describe('the operator’s queue', () => {
  it('lists approvals by age, then failures, then the rest', () => {
    const brake = { agentId: 'a', roomId: 'r', rootId: 'm', turns: 9, why: 'why', at: 1 };
    expect(
      keys({
        approvals: {
          late: anApproval('late', { createdAt: 9 }),
          early: anApproval('early', { createdAt: 2 }),
        },
        agents: byId(agent('a'), agent('b', { life: 'gave_up' }), agent('c', { dot: 'error' })),
        brakes: [brake],
        problems: [problem('warned'), problem('broken', { severity: 'error' })],
        invites: ['inv_1'],
      }),
    ).toEqual([
      'approval early',
      'approval late',
      'agent b',
      'agent c',
      'problem broken',
      'problem warned',
      'brake a r m',
      'invite inv_1',
    ]);
  });

  it('leaves out snoozed approvals until their time, notes, and agents whose approval is listed', () => {
    expect(
      keys({
        approvals: {
          later: anApproval('later', { quietUntil: 101 }),
          again: anApproval('again', { quietUntil: 100 }),
        },
        agents: byId(
          agent('asks', { dot: 'needs_you', waiting: 1 }),
          agent('keyless', { dot: 'needs_you' }),
          agent('new', { life: 'not_connected' }),
        ),
        problems: [problem('note', { severity: 'info' })],
      }),
    ).toEqual(['approval again', 'agent keyless']);
  });

  it('counts one cause once: a changed key stops agents, a budget asks', () => {
    const changed = problem('held-eve', {
      severity: 'error',
      message: 'The key of eve changed.',
      about: { kind: 'person', slug: 'eve', changed: true },
    });
    const held = agent('a', { dot: 'needs_you', error: failure('The key of eve changed.') });
    expect(keys({ agents: byId(held), problems: [changed] })).toEqual(['problem held-eve']);
    const budget = (agentId: string | null) =>
      problem(`budget-${agentId}`, { severity: 'error', about: { kind: 'budget', agentId } });
    const asked = { q: anApproval('q', { kind: 'spending', agentId: 'a' }) };
    expect(keys({ approvals: asked, problems: [budget('a'), budget(null), budget('b')] })).toEqual([
      'approval q',
      'problem budget-b',
    ]);
  });

  it('counts a held first contact although it is no warning', () => {
    const about = { kind: 'person', slug: 'kit', changed: false } as const;
    expect(keys({ problems: [problem('contact-kit', { severity: 'info', about })] })).toEqual([
      'problem contact-kit',
    ]);
  });
});

import { expect, it } from 'vitest';
import type { Approval } from '../contract/approvals.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { announceApprovals } from './announce-approvals.ts';
import { approvalText } from './approval-text.ts';
import { loadLanguage } from './copy.ts';

const approval: Approval = {
  id: 'ap_1',
  kind: 'tool',
  agentId: 'guide',
  agentName: 'Gui\u202ede',
  subject: 'bash_exec',
  title: 'wants to run rm\u200b x',
  argsJson: '{"cmd":"rm \u001b[2K x"}',
  digest: 'd',
  risk: 'high',
  why: 'Because.\nAllow: yes',
  where: '/w\u2066',
  sandbox: 'none',
  roomId: null,
  threadRootId: null,
  preview: { kind: 'command', body: 'rm x\u001b[1A\u001b[2K\r\necho harmless' },
  createdAt: 0,
  expiresAt: 1,
  state: 'waiting',
  quietUntil: null,
  decision: null,
  offers: [{ scope: 'once', rule: 'this call, now' }],
};

it('The approval text escapes control and bidirectional characters (T21)', () => {
  const text = approvalText(approval);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(text).toContain('Gui<U+202E>de wants to run rm<U+200B> x');
  expect(text).toContain('  | rm x<U+001B>[1A<U+001B>[2K<U+000D>\n  | echo harmless');
  expect(text).toContain('Because.<U+000A>Allow: yes');
  expect(text).toContain('no sandbox');
});

it('T8: a line break in a title, a name or a path is shown as an escape', () => {
  const text = approvalText({
    ...approval,
    agentName: 'Guide\tX',
    title: 'wants to ls\nRisk: low',
    where: '/w\n/x',
  });
  expect(text.split('\n')[0]).toBe('Guide<U+0009>X wants to ls<U+000A>Risk: low');
  expect(text).toContain('Where: /w<U+000A>/x (no sandbox)');
});

it('T14: the approval text shows the resolved path of each effect and all arguments of a program', () => {
  const effects = [
    { kind: 'delete', path: '/srv/backups/a\u202eb\n' },
    { kind: 'run', argv: ['git', 'log', 'a b'], cwd: '/srv/site', sandbox: 'confined' },
  ] as const;
  const lines = approvalText({ ...approval, effects }).split('\n');
  expect(lines).toContain('Deletes: /srv/backups/a<U+202E>b<U+000A>');
  expect(lines).toContain('Runs: git log "a b" in /srv/site');
});

it('T8: a truncated preview cannot be allowed, and filler characters are shown as escapes', () => {
  const preview = { kind: 'text', body: 'a\u3164b', cut: true } as const;
  const text = approvalText({ ...approval, preview });
  expect(text).toContain('cannot be allowed');
  expect(text).not.toContain('approvals allow');
  expect(text).toContain('approvals deny ap_1');
  expect(text).toContain('a<U+3164>b');
});

it('The approval text names the approvers of a gate that is limited to them', () => {
  expect(approvalText(approval)).toContain('\nYou can answer:\n');
  const gate: NonNullable<Approval['gate']> = {
    runId: 'r',
    runName: 'ship',
    path: 'ask',
    kind: 'approval',
    prompt: 'Ship?',
    items: [],
    preview: '',
    schemaJson: '',
    defaultsJson: '',
    subjectJson: '',
    named: ['ann-1', 'bo\u202e-2'],
    needed: 1,
    notInitiator: false,
    votes: [],
  };
  const text = approvalText({ ...approval, kind: 'workflow', gate });
  expect(text).toContain('\nYou can answer, if you are ann-1 or bo<U+202E>-2:\n');
});

it('Each approval is announced once, with how to answer it', () => {
  const told: string[] = [];
  let sink: (event: FeedEvent) => void = () => undefined;
  const client = {
    subscribe: (_topic: string, given: (event: FeedEvent) => void) => {
      sink = given;
      return () => undefined;
    },
  };
  announceApprovals(client as never, ({ text }) => told.push(text));
  sink({ type: 'snapshot', revision: 0, state: { waiting: {} } });
  sink({ type: 'patch', revision: 1, ops: [{ op: 'set', path: ['waiting', 'ap_1'], value: approval }] });
  sink({
    type: 'patch',
    revision: 2,
    ops: [{ op: 'set', path: ['waiting', 'ap_1', 'quietUntil'], value: 5 }],
  });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('kennel approvals show ap_1');
});

it('The approval text names the approvers whom no agent has asked', () => {
  const gate = { kind: 'approval', named: ['bob-1f3a', 'operator'], needed: 1, votes: [] };
  const asks = (change: object): string =>
    approvalText({
      ...approval,
      agentName: 'Guide',
      gate,
      isInChannel: false,
      ...change,
    } as unknown as Approval);
  expect(asks({})).toContain(
    'Not asked yet: bob-1f3a. Make an encrypted channel with only you, bob-1f3a and Guide.',
  );
  expect(asks({ agentId: '' })).toContain('bob-1f3a and a running agent of yours');
  expect(asks({ isInChannel: true })).not.toContain('Not asked yet');
  expect(asks({ gate: { ...gate, named: ['operator'] } })).not.toContain('Not asked yet');
});

it('Questions are printed in German, with hostile text escaped as before', async () => {
  await loadLanguage({ LANG: 'de_DE.UTF-8' });
  const text = approvalText(approval);
  await loadLanguage({});
  expect(text).toContain('Risiko: hoch');
  expect(text).toContain('Du kannst antworten:');
  expect(text).toContain('  | rm x<U+001B>[1A<U+001B>[2K<U+000D>');
});

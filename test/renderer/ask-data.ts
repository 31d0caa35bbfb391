/** Sample approval requests. */
import type { Approval, Grant } from '../../src/contract/approvals.ts';
import type { ToolStep } from '../../src/contract/work.ts';
import { now } from './fake-data.ts';

const minute = 60_000;

export const approval = (id: string, change: Partial<Approval> = {}): Approval => ({
  id,
  kind: 'tool',
  agentId: 'guide',
  agentName: 'Guide',
  subject: 'write_file',
  title: 'wants to write hello.md',
  preview: { kind: 'diff', body: '@@ hello.md @@\n+# Hello\n+\n+This file was written by Guide.' },
  argsJson: '{"path":"hello.md","content":"# Hello\\n\\nThis file was written by Guide."}',
  digest: `digest-of-${id}`,
  risk: 'medium',
  why: 'Writing files asks first in this agent’s mode.',
  where: '/home/ada/.kennel/agents/guide/workspace',
  sandbox: 'confined',
  roomId: 'ch_general',
  threadRootId: 'msg_q2',
  createdAt: now - 2 * minute,
  expiresAt: now + 24 * 60 * minute,
  state: 'waiting',
  quietUntil: null,
  offers: [
    { scope: 'once', rule: 'write_file(hello.md)' },
    { scope: 'session', rule: 'write_file(hello.md)' },
    { scope: 'exact', rule: 'write_file(hello.md)' },
    { scope: 'pattern', rule: 'write_file(*.md)' },
  ],
  decision: null,
  ...change,
});

export const command = (id: string, body: string, change: Partial<Approval> = {}): Approval =>
  approval(id, {
    agentId: 'scribe',
    agentName: 'Scribe',
    subject: 'bash_exec',
    title: 'wants to delete the old notes',
    preview: { kind: 'command', body },
    argsJson: JSON.stringify({ command: body }),
    risk: 'high',
    why: 'Deleting always asks.',
    where: '/home/ada/notes',
    roomId: null,
    threadRootId: null,
    createdAt: now - minute,
    offers: [{ scope: 'once', rule: `bash_exec(${body})` }],
    ...change,
  });

const decision = (
  state: 'allowed' | 'denied' | 'expired',
  change: Partial<Approval['decision'] & object>,
) => ({
  state,
  decision: {
    scope: state === 'allowed' ? ('once' as const) : null,
    reason: '',
    surface: 'window' as const,
    at: now - 40 * minute,
    receiptId: 'rc_1',
    ...change,
  },
});

export const decided = (): Approval[] => [
  approval('ap_old1', decision('allowed', { scope: 'pattern', surface: 'terminal', at: now - 9 * minute })),
  command('ap_old2', 'rm -r drafts', decision('denied', { reason: 'Keep them until Friday' })),
  command('ap_old3', 'rm old.md', decision('expired', { surface: 'expiry', at: now - 26 * 60 * minute })),
];

export const grants = (): Grant[] => [
  {
    id: 'gr_1',
    agentId: 'guide',
    agentName: 'Guide',
    tool: 'write_file',
    scope: 'pattern',
    rule: 'write_file(notes/*)',
    createdAt: now - 3 * 24 * 60 * minute,
    lastUsedAt: now - 12 * minute,
    uses: 14,
  },
  {
    id: 'gr_2',
    agentId: 'scribe',
    agentName: 'Scribe',
    tool: 'bash_exec',
    scope: 'session',
    rule: 'bash_exec(cp minutes.md archive/minutes.md)',
    createdAt: now - 50 * minute,
    lastUsedAt: null,
    uses: 0,
  },
];

export const step = (callId: string, change: Partial<ToolStep> = {}): ToolStep => ({
  callId,
  tool: 'write_file',
  title: 'wrote hello.md, 3 lines',
  state: 'done',
  detail: '{"path":"hello.md"}\n\nWrote 3 lines.',
  approvalId: null,
  startedAt: now - 6 * minute,
  endedAt: now - 6 * minute + 900,
  ...change,
});

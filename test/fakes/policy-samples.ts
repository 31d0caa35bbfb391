/** Sample calls and policies for tests of rules, approvals and the audit log. */

import type { Effect, Risk } from '../../src/core/policy/assessment.ts';
import type { AgentPolicy, GrantRule, PolicyCall } from '../../src/core/policy/policy-call.ts';

export const samplePolicy = (change: Partial<AgentPolicy> = {}): AgentPolicy => ({
  mode: 'ask',
  rules: [],
  daemon: { mode: null, rules: [] },
  roots: {
    cwd: '/home/me/.kennel/agents/guide/workspace',
    readable: ['/home/me/.kennel/agents/guide/workspace', '/srv/docs'],
    writable: ['/home/me/.kennel/agents/guide/workspace', '/srv/out'],
  },
  home: '/home/me',
  protectedRoots: ['/home/me/.kennel'],
  ownRoots: ['/home/me/.kennel/agents/guide/workspace', '/home/me/.kennel/agents/guide/memory'],
  ...change,
});

interface CallChange {
  readonly tool?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly risk?: Risk;
  readonly effects?: readonly Effect[];
  readonly tainted?: boolean;
  readonly digest?: string;
  readonly group?: PolicyCall['group'];
  readonly blocked?: PolicyCall['assessment']['blocked'];
}

export const sampleCall = (change: CallChange = {}): PolicyCall => ({
  tool: change.tool ?? 'write_file',
  group: change.group ?? 'files',
  args: change.args ?? {},
  assessment: {
    risk: change.risk ?? 'medium',
    effects: change.effects ?? [],
    ...(change.blocked ? { blocked: change.blocked } : {}),
  },
  tainted: change.tainted ?? false,
  digest: change.digest ?? 'd1',
});

const workspace = '/home/me/.kennel/agents/guide/workspace';

export const writeCall = (path: string, change: CallChange = {}): PolicyCall =>
  sampleCall({
    args: { path },
    effects: [{ kind: 'write', path: path.startsWith('/') ? path : `${workspace}/${path}` }],
    ...change,
  });

export const bashCall = (cmd: string, change: CallChange = {}): PolicyCall =>
  sampleCall({
    tool: 'bash_exec',
    group: 'core',
    args: { cmd },
    effects: [{ kind: 'run', argv: cmd.split(' '), cwd: workspace, sandbox: 'confined' }],
    ...change,
  });

export const sendCall = (to: string, sameThread: boolean, change: CallChange = {}): PolicyCall =>
  sampleCall({
    tool: 'send_message',
    group: 'puffo',
    args: { channel: to, text: 'hello' },
    effects: [{ kind: 'send', to, sameThread }],
    ...change,
  });

export const exactGrant = (tool: string, digest: string): GrantRule => ({
  id: 'g-exact',
  tool,
  scope: 'exact',
  digest,
  pattern: '',
});

export const patternGrant = (tool: string, pattern: string): GrantRule => ({
  id: 'g-pattern',
  tool,
  scope: 'pattern',
  digest: null,
  pattern,
});

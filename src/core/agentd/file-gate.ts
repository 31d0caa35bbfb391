/**
 * The approval gate of agents from a file: the policy decides with the rules of the file, and everything else is
 * asked in the terminal or refused. Every turn counts as tainted, because servers supply its content; a tool that
 * the file allows by name runs nevertheless.
 */
import { englishText } from '../../language/host-message.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../approvals/approval-gate.ts';
import { questionDigest } from '../approvals/digest.ts';
import { decide } from '../policy/evaluate-policy.ts';
import type { AgentPolicy, GrantRule } from '../policy/policy-call.ts';
import type { ServerTool } from './server-tools.ts';

/** `null`: no operator is at the terminal. */
export type AskOperator = (call: GateCall, signal: AbortSignal) => Promise<boolean | null>;

export interface FileGateDeps {
  readonly tools: () => readonly ServerTool[];
  readonly ask: AskOperator;
  readonly sha256: (bytes: Uint8Array) => string;
}

function policyOf(tools: readonly ServerTool[]): AgentPolicy {
  const denied = tools.filter(({ rule }) => rule === 'deny');
  return {
    mode: 'ask',
    rules: denied.map(({ tool }) => ({ action: 'deny', tool: tool.name })),
    daemon: { mode: null, rules: [] },
    roots: { cwd: '/', readable: [], writable: [] },
    home: '/',
    protectedRoots: [],
    ownRoots: [],
  };
}

const grantsOf = (tools: readonly ServerTool[]): readonly GrantRule[] =>
  tools
    .filter(({ rule }) => rule === 'allow')
    .map(({ tool: { name } }) => ({
      id: `file:${name}`,
      tool: name,
      scope: 'exact',
      digest: null,
      pattern: name,
    }));

const refusal = (reason: string, by: 'policy' | 'operator' | 'cancelled'): GateDecision => ({
  type: 'deny',
  reason,
  by,
});

export const fileGate = ({ tools, ask, sha256 }: FileGateDeps): ApprovalGate => ({
  async check(call, signal) {
    const digest = questionDigest(sha256, call);
    if (digest === null) return refusal('The arguments are nested too deep.', 'policy');
    const known = tools();
    const asked = { ...call, group: call.group ?? null, digest };
    const verdict = decide(policyOf(known), asked, grantsOf(known));
    if (verdict.verdict === 'deny') return refusal(englishText(verdict.why), 'policy');
    if (verdict.verdict === 'allow') return { type: 'allow', by: 'policy', receiptId: null };
    const answer = await ask(call, signal);
    if (signal.aborted) return refusal('The turn was stopped.', 'cancelled');
    if (answer === null)
      return refusal('No rule of the file allows this tool, and nobody can be asked.', 'policy');
    return answer
      ? { type: 'allow', by: 'operator', receiptId: null }
      : refusal('The operator denied it.', 'operator');
  },
});

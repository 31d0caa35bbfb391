/** Builds the question for a person from a call that requires approval. */
import type { Approval } from '../../contract/approvals.ts';
import { say } from '../../language/say.ts';
import { shareText } from '../policy/audience.ts';
import type { PolicyCall, PolicyVerdict } from '../policy/policy-call.ts';
import type { GateCall } from './approval-gate.ts';
import type { AgentFacts, ApprovalRow } from './approval-ports.ts';
import { stableJson } from './digest.ts';
import { offersFor, patternFor } from './offers.ts';

export interface ApprovalDraft {
  readonly id: string;
  /** ms since the epoch. */
  readonly now: number;
  readonly lifeMs: number;
}

export function policyCallOf(gate: GateCall, digest: string): PolicyCall {
  const { tool, args, assessment, tainted, group = null, heldBack } = gate;
  return { tool, args, assessment, tainted, digest, group, ...(heldBack ? { heldBack } : {}) };
}

function sandboxOf(call: PolicyCall): Approval['sandbox'] {
  for (const effect of call.assessment.effects) if (effect.kind === 'run') return effect.sandbox;
  const files = call.assessment.effects.some(
    ({ kind }) => kind === 'read' || kind === 'write' || kind === 'delete',
  );
  return files ? 'confined' : null;
}

/** Pattern that "always" would store. */
function storedPattern({ heldBack }: PolicyCall, by: PolicyVerdict['by'], pattern: string): string {
  if (by === 'release' && heldBack) return shareText(heldBack);
  return by === 'never_auto' || by === 'taint' ? '' : pattern;
}

/** `call` and `gate` describe the same call, for the policy and for a person. */
export function approvalOf(
  draft: ApprovalDraft,
  gate: GateCall,
  call: PolicyCall,
  verdict: PolicyVerdict,
  agent: AgentFacts,
): ApprovalRow {
  const { agentId, turnId, threadKey, callId, tool, assessment, justification } = gate;
  const { preview, risk } = assessment;
  const pattern = patternFor(call, { cwd: agent.policy.roots.cwd, home: agent.policy.home });
  const reason = justification.trim();
  const approval: Approval = {
    id: draft.id,
    kind: 'tool',
    agentId,
    agentName: agent.name,
    subject: tool,
    title: say('approvals.wantsTo', { action: preview.title }),
    preview: { kind: preview.kind, body: preview.body, ...(preview.cut ? { cut: preview.cut } : {}) },
    effects: assessment.effects,
    argsJson: stableJson(gate.args) ?? '{}',
    digest: call.digest,
    risk,
    why:
      reason === ''
        ? verdict.why
        : say('approvals.whyWithReason', { why: verdict.why, words: reason.slice(0, 500) }),
    where: preview.where,
    sandbox: sandboxOf(call),
    roomId: agent.room?.roomId ?? null,
    threadRootId: agent.room?.threadRootId ?? null,
    createdAt: draft.now,
    expiresAt: draft.now + draft.lifeMs,
    state: 'waiting',
    quietUntil: null,
    ...(gate.endsWithHost ? { endsWithHost: true } : {}),
    offers: offersFor(call, verdict.by, pattern),
    decision: null,
  };
  return {
    approval,
    call: { agentId, turnId, threadKey, callId },
    pattern: storedPattern(call, verdict.by, pattern),
    deliveredAt: null,
    post: null,
  };
}

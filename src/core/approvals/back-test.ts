/** Evaluates rules against recorded calls, with the same `decide` as live calls. */
import type { PolicyTest } from '../../contract/approvals.ts';
import { type ToolGroup, toolGroups } from '../policy/assessment.ts';
import { decide } from '../policy/evaluate-policy.ts';
import type { AgentPolicy, GrantRule, PolicyCall } from '../policy/policy-call.ts';
import type { ShareRule, Source } from '../policy/source.ts';
import type { RecordedCall } from './approval-ports.ts';

const maxChanged = 200;

const groupOf = (name: string): ToolGroup | null => toolGroups.find((group) => group === name) ?? null;

function argsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Sources held back then that the operator has not shared since; absent if none remain. */
function heldBackNow({ heldBack }: RecordedCall, shares: readonly ShareRule[]): Pick<PolicyCall, 'heldBack'> {
  if (!heldBack) return {};
  const isShared = (source: Source): boolean =>
    shares.some(({ roomId, sources }) => roomId === heldBack.roomId && sources.includes(source));
  const sources = heldBack.sources.filter((source) => !isShared(source));
  return sources.length === 0 ? {} : { heldBack: { ...heldBack, sources } };
}

const callOf = (call: RecordedCall, shares: readonly ShareRule[]): PolicyCall => ({
  tool: call.tool,
  group: groupOf(call.group),
  args: argsOf(call.argsJson),
  assessment: call.assessment,
  tainted: call.tainted,
  digest: call.digest,
  ...heldBackNow(call, shares),
});

export interface BackTest {
  /** Newest first. */
  readonly calls: readonly RecordedCall[];
  /** Policy with the rules under test; `null` if the agent was removed. */
  policyOf(agentId: string): AgentPolicy | null;
  grantsOf(agentId: string): readonly GrantRule[];
  sharesOf(agentId: string): readonly ShareRule[];
}

export function backTest({ calls, policyOf, grantsOf, sharesOf }: BackTest): PolicyTest {
  const result: PolicyTest = { calls: 0, allowed: 0, asked: 0, denied: 0, changed: [] };
  for (const call of calls) {
    const policy = policyOf(call.agentId);
    if (!policy) continue;
    const { verdict, why } = decide(policy, callOf(call, sharesOf(call.agentId)), grantsOf(call.agentId));
    result.calls += 1;
    if (verdict === 'allow') result.allowed += 1;
    else if (verdict === 'ask') result.asked += 1;
    else result.denied += 1;
    if (verdict === call.verdict || result.changed.length >= maxChanged) continue;
    const { at, agentId, tool, title } = call;
    result.changed.push({ at, agentId, tool, title, was: call.verdict, would: verdict, why });
  }
  return result;
}

/**
 * Adapts Kennel's tools to the loop, with the approval gate as a hook. The tool assesses the call again right
 * before it runs, and a call that would now touch something else is asked about again.
 */

import { englishText } from '../../language/host-message.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../approvals/approval-gate.ts';
import { transcriptText } from '../models/messages.ts';
import type { Assessment } from '../policy/assessment.ts';
import type { Tool, ToolCallContext } from '../tools/tool.ts';
import type { BeforeVerdict, CallView } from './loop-config.ts';
import type { LoopTool } from './loop-tool.ts';
import { sameJson } from './same-json.ts';

/** Identity of the turn, read for every call. */
export interface TurnFacts {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
}

export function loopTool(tool: Tool, facts: () => TurnFacts): LoopTool {
  const { name, description, parameters, replay, executionMode, timeoutMs } = tool;
  return {
    name,
    description,
    parameters,
    replay,
    ...(executionMode ? { executionMode } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: (callId, args, signal, onUpdate) =>
      tool.execute(args, { ...facts(), callId, signal, progress: onUpdate }),
  };
}

export interface GateHookParts {
  readonly tools: readonly Tool[];
  readonly gate: ApprovalGate;
  readonly facts: () => TurnFacts;
  /** The turn's context contains untrusted content (T9). */
  readonly tainted: () => boolean;
  /** Further members of the gate call. */
  readonly more?: (tool: Tool, callId: string) => Partial<GateCall>;
}

const refused = (blocked: NonNullable<Assessment['blocked']>): BeforeVerdict => ({
  block: true,
  reason: blocked.message,
  details: { blocked: true, block_reason: blocked.reason, details: blocked.details },
});

/** Reason that the model gives for the call: as an argument, otherwise in its text. */
const justification = ({ args, assistantMessage }: CallView): string =>
  typeof args.justification === 'string' ? args.justification : transcriptText(assistantMessage);

/** Most gate checks for one call whose targets keep changing. */
const mostLooks = 4;

export const changedSince =
  'What this call would do has changed since it was allowed, so it was not run. Look again, then repeat it: it is asked about anew.';

/** Approved assessment of a call, and the approver. */
export interface AllowedCall {
  readonly assessment: Assessment;
  readonly by: Extract<GateDecision, { type: 'allow' }>['by'];
}

/**
 * An approval covers the shown targets, title and location; a person's approval also covers the whole preview
 * (T14).
 */
export function isAsAllowed(now: Assessment, { assessment, by }: AllowedCall): boolean {
  const [a, b] = [now.preview, assessment.preview];
  const same =
    englishText(a.title) === englishText(b.title) &&
    englishText(a.where) === englishText(b.where) &&
    sameJson(now.effects, assessment.effects);
  return same && (by !== 'operator' || a.body === b.body);
}

/** One call as presented to the gate. */
export interface AskedCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly justification: string;
}

/**
 * `undefined` if the call may run; used for calls of the loop and of external programs. If the call would do
 * something else by the time it is allowed, the gate decides again. `isRepeat`: an earlier approval is void.
 */
export async function gateVerdict(
  parts: GateHookParts,
  { callId, name, args, justification: wanted }: AskedCall,
  signal: AbortSignal,
  isRepeat = false,
): Promise<BeforeVerdict | undefined> {
  const tool = parts.tools.find((each) => each.name === name);
  if (!tool) return { block: true, reason: `There is no tool named ${name}.` };
  const facts = parts.facts();
  const context: ToolCallContext = { ...facts, callId, signal, progress: () => undefined };
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const isAnew = isRepeat || looks > 0;
    const assessment = await tool.assess(args, isAnew ? { ...context, anew: true } : context);
    const call: GateCall = {
      ...facts,
      callId,
      tool: tool.name,
      args,
      assessment,
      group: tool.group,
      justification: wanted,
      tainted: parts.tainted(),
      ...parts.more?.(tool, callId),
      // An answer from before a crash covers only what was shown then.
      ...(isAnew ? { resumed: false } : {}),
    };
    // Also for calls that the tool refuses, because the gate records every call.
    const decision = await parts.gate.check(call, signal);
    if (assessment.blocked) return refused(assessment.blocked);
    if (decision.type === 'deny')
      return { block: true, reason: decision.reason, details: { denied: decision.by } };
    const now = await tool.assess(args, context);
    if (now.blocked) return refused(now.blocked);
    if (isAsAllowed(now, { assessment, by: decision.by })) return undefined;
  }
  return { block: true, reason: changedSince };
}

const askedCall = (view: CallView): AskedCall => {
  const { toolCall, args } = view;
  return { callId: toolCall.id, name: toolCall.name, args, justification: justification(view) };
};

/** For `beforeToolCall`; with `isRepeat` for `recheckToolCall`. */
export const gateHook =
  (parts: GateHookParts) =>
  (view: CallView, signal: AbortSignal, isRepeat = false): Promise<BeforeVerdict | undefined> =>
    gateVerdict(parts, askedCall(view), signal, isRepeat);

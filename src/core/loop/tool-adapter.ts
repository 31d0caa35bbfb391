/**
 * The product's tools as the loop knows them, and the gate as its hook: what the gate allows is what runs, because the
 * tool is asked again right before and a call that would now touch something else is asked about anew.
 */
import { messageText } from '../models/messages.ts';
import type {
  ApprovalGate,
  Assessment,
  GateCall,
  GateDecision,
  Tool,
  ToolCallContext,
} from '../tool-ports.ts';
import type { BeforeVerdict, CallView } from './loop-config.ts';
import type { LoopTool } from './loop-tool.ts';
import { sameJson } from './same-json.ts';

/** Whose turn it is. Read for every call. */
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
  /** Words of others are in this turn's context (T9). */
  readonly tainted: () => boolean;
  /** Further members of the gate call. */
  readonly more?: (tool: Tool, callId: string) => Partial<GateCall>;
}

const refused = (blocked: NonNullable<Assessment['blocked']>): BeforeVerdict => ({
  block: true,
  reason: blocked.message,
  details: { blocked: true, block_reason: blocked.reason, details: blocked.details },
});

/** What the model says it wants the call for: said with the call, else around it. */
const justification = ({ args, assistantMessage }: CallView): string =>
  typeof args.justification === 'string' ? args.justification : messageText(assistantMessage);

/** How often the gate is asked about one call whose targets keep changing. */
const mostLooks = 4;

export const changedSince =
  'What this call would do has changed since it was allowed, so it was not run. Look again, then repeat it: it is asked about anew.';

/** What a call was allowed to do, and by whom. */
export interface AllowedCall {
  readonly assessment: Assessment;
  readonly by: Extract<GateDecision, { type: 'allow' }>['by'];
}

/** A yes is for the targets, title and place that were looked at; that of a person is for the whole preview (T14). */
export function isAsAllowed(now: Assessment, { assessment, by }: AllowedCall): boolean {
  const [a, b] = [now.preview, assessment.preview];
  const same = a.title === b.title && a.where === b.where && sameJson(now.effects, assessment.effects);
  return same && (by !== 'operator' || a.body === b.body);
}

/** One call, as the gate is asked about it. */
export interface AskedCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly justification: string;
}

/**
 * `undefined` if it may run now; for calls of the loop and of programs outside alike. A call that would do something else
 * by the time it is allowed goes to the gate again, with what it would do now. `isRepeat`: an earlier yes to it is void.
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
      // The answer that a crash left belongs to what was shown then.
      ...(isAnew ? { resumed: false } : {}),
    };
    // Also for what the tool refuses by itself: the gate keeps the record of every call.
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

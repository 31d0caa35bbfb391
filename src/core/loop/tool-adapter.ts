/**
 * The product's tools as the loop knows them, and the gate as its hook: what the gate allows is what runs, because the
 * tool is asked again right before and a call that would now touch something else is refused.
 */
import { messageText } from '../models/messages.ts';
import type { ApprovalGate, Assessment, GateCall, Tool, ToolCallContext } from '../tool-ports.ts';
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

/** For `beforeToolCall`. */
export function gateHook(parts: GateHookParts) {
  return async (view: CallView, signal: AbortSignal): Promise<BeforeVerdict | undefined> => {
    const { toolCall, args } = view;
    const tool = parts.tools.find((each) => each.name === toolCall.name);
    if (!tool) return { block: true, reason: `There is no tool named ${toolCall.name}.` };
    const facts = parts.facts();
    const context: ToolCallContext = { ...facts, callId: toolCall.id, signal, progress: () => undefined };
    const assessment = await tool.assess(args, context);
    const call: GateCall = {
      ...facts,
      callId: toolCall.id,
      tool: tool.name,
      args,
      assessment,
      group: tool.group,
      justification: justification(view),
      tainted: parts.tainted(),
      ...parts.more?.(tool, toolCall.id),
    };
    // Also for what the tool refuses by itself: the gate keeps the record of every call.
    const decision = await parts.gate.check(call, signal);
    if (assessment.blocked) return refused(assessment.blocked);
    if (decision.type === 'deny')
      return { block: true, reason: decision.reason, details: { denied: decision.by } };
    const now = await tool.assess(args, context);
    if (now.blocked) return refused(now.blocked);
    if (sameJson(now.effects, assessment.effects)) return undefined;
    return { block: true, reason: 'What this call would touch has changed since it was allowed. Ask again.' };
  };
}

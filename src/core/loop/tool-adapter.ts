/**
 * The product's tools as the loop knows them, and the gate as its hook: what the gate allows is what runs, because the
 * tool is asked again right before and a call that would now touch something else is refused.
 */
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

const justification = (args: Readonly<Record<string, unknown>>): string =>
  typeof args.justification === 'string' ? args.justification : '';

/** For `beforeToolCall`. */
export function gateHook(parts: GateHookParts) {
  return async ({ toolCall, args }: CallView, signal: AbortSignal): Promise<BeforeVerdict | undefined> => {
    const tool = parts.tools.find((each) => each.name === toolCall.name);
    if (!tool) return { block: true, reason: `There is no tool named ${toolCall.name}.` };
    const facts = parts.facts();
    const context: ToolCallContext = { ...facts, callId: toolCall.id, signal, progress: () => undefined };
    const assessment = await tool.assess(args, context);
    if (assessment.blocked) return refused(assessment.blocked);
    const call: GateCall = {
      ...facts,
      callId: toolCall.id,
      tool: tool.name,
      args,
      assessment,
      justification: justification(args),
      tainted: parts.tainted(),
      ...parts.more?.(tool, toolCall.id),
    };
    const decision = await parts.gate.check(call, signal);
    if (decision.type === 'deny')
      return { block: true, reason: decision.reason, details: { denied: decision.by } };
    const now = await tool.assess(args, context);
    if (now.blocked) return refused(now.blocked);
    if (sameJson(now.effects, assessment.effects)) return undefined;
    return { block: true, reason: 'What this call would touch has changed since it was allowed. Ask again.' };
  };
}

/** Observable state of an agent, updated by each event before listeners receive it. */
import type { AssistantMessage, ToolCallBlock, TranscriptMessage } from '../models/messages.ts';
import type { AgentEvent } from './events.ts';

export interface LiveState {
  isStreaming: boolean;
  /** Answer in progress: the provider's growing message. */
  streamingMessage: AssistantMessage | null;
  /** Ids of calls that have started and not ended. */
  readonly pendingToolCalls: Set<string>;
  errorMessage: string | null;
}

export const idleState = (): LiveState => ({
  isStreaming: false,
  streamingMessage: null,
  pendingToolCalls: new Set(),
  errorMessage: null,
});

/** Calls of a failed message never run. */
export const failed = (message: AssistantMessage): boolean =>
  message.stopReason === 'error' || message.stopReason === 'aborted';

export function reduce(state: LiveState, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      state.isStreaming = true;
      state.errorMessage = null;
      return;
    case 'message_start':
      if (event.message.role === 'assistant') state.streamingMessage = event.message;
      return;
    case 'message_update':
      state.streamingMessage = event.message;
      return;
    case 'message_end':
      state.streamingMessage = null;
      return;
    case 'tool_execution_start':
      state.pendingToolCalls.add(event.toolCallId);
      return;
    case 'tool_execution_end':
      state.pendingToolCalls.delete(event.toolCallId);
      return;
    case 'agent_end':
      state.pendingToolCalls.clear();
      return;
    case 'turn_end':
      if (failed(event.message)) state.errorMessage = event.message.errorMessage ?? 'The answer failed.';
      return;
    case 'turn_start':
    case 'tool_execution_update':
      return;
  }
}

export interface Unanswered {
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCallBlock[];
}

/** Calls of the newest answer without a result; `null` if all have one. */
export function unansweredCalls(messages: readonly TranscriptMessage[]): Unanswered | null {
  const answered = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === 'toolResult') answered.add(message.toolCallId);
    else if (message?.role === 'assistant') {
      if (failed(message)) return null;
      const calls = message.content.filter((block) => block.type === 'toolCall');
      const open = calls.filter((call) => !answered.has(call.id));
      return open.length === 0 ? null : { message, calls: open };
    } else if (message?.role === 'user') return null;
  }
  return null;
}

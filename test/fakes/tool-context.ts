/** The context of a tool call, with a signal that never aborts. */
import type { ToolCallContext } from '../../src/core/tools/tool.ts';

export function toolContext(change: Partial<ToolCallContext> = {}): ToolCallContext {
  return {
    agentId: 'guide',
    turnId: 'turn-1',
    threadKey: 'room/root',
    callId: 'call-1',
    tainted: false,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...change,
  };
}

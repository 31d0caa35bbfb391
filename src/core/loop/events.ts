/**
 * Events of a run, in the order of spec §1.2: `agent_start` first, `agent_end` always last; every message
 * start has an end, and tools start only after the end of the message that calls them.
 */

import type { AssistantMessage, ToolResultMessage, TranscriptMessage } from '../models/messages.ts';
import type { BlockEvent } from '../models/model-ports.ts';
import type { ToolOutput } from '../tools/tool.ts';

export type AgentEvent =
  | { readonly type: 'agent_start' }
  /** A turn is one model response plus its tool results. */
  | { readonly type: 'turn_start' }
  | { readonly type: 'message_start' | 'message_end'; readonly message: TranscriptMessage }
  | {
      readonly type: 'message_update';
      /** The provider's own growing message: read it now or copy it. */
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: BlockEvent;
    }
  | {
      readonly type: 'tool_execution_start';
      readonly toolCallId: string;
      readonly toolName: string;
      /** As the model wrote them, before validation. */
      readonly args: unknown;
    }
  | {
      readonly type: 'tool_execution_update';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: unknown;
      readonly partialResult: ToolOutput;
    }
  | {
      readonly type: 'tool_execution_end';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: ToolOutput;
      readonly isError: boolean;
      /** Only if the tool body ran. */
      readonly durationMs?: number;
    }
  | {
      readonly type: 'turn_end';
      readonly message: AssistantMessage;
      /** In call order. */
      readonly toolResults: readonly ToolResultMessage[];
    }
  /** Messages that this run has added to the transcript, prompts included. */
  | { readonly type: 'agent_end'; readonly messages: readonly TranscriptMessage[] };

/** Returns a promise only if a listener must be awaited, so other events cost no task switch. */
export type Emit = (event: AgentEvent) => Promise<void> | undefined;

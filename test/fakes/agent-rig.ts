/** An agent on a scripted model and a test-driven clock, with a record of its events. */
import { Agent, type AgentOptions } from '../../src/core/loop/agent.ts';
import type { AgentEvent } from '../../src/core/loop/events.ts';
import type { LoopJournal } from '../../src/core/loop/loop-config.ts';
import type { LoopTool } from '../../src/core/loop/loop-tool.ts';
import { type TranscriptMessage, textBlock, transcriptText } from '../../src/core/models/messages.ts';
import {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
} from './scripted-stream.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export interface AgentRig {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly clock: VirtualClock;
  readonly events: AgentEvent[];
  /** Events as `type detail`, where the detail (role, call id) tells events of the same type apart. */
  readonly told: () => readonly string[];
  readonly texts: () => readonly string[];
}

export function echoTool(more: Partial<LoopTool> = {}): LoopTool {
  return {
    name: 'echo',
    description: 'Says it back.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    execute: (_id, args) => ({ content: [textBlock(`echo ${String(args.text)}`)] }),
    ...more,
  };
}

export const shortly = (message: TranscriptMessage): string => {
  const calls = message.content.flatMap((block) => (block.type === 'toolCall' ? [`${block.id}()`] : []));
  const failed = message.role === 'toolResult' && message.isError ? '!' : '';
  return `${message.role}${failed}:${[transcriptText(message), ...calls].filter((part) => part !== '').join(' ')}`;
};

function mark(event: AgentEvent): string {
  switch (event.type) {
    case 'message_start':
    case 'message_end':
      return `${event.type} ${event.message.role}`;
    case 'message_update':
      return event.assistantMessageEvent.type;
    case 'tool_execution_start':
    case 'tool_execution_update':
    case 'tool_execution_end':
      return `${event.type} ${event.toolCallId}`;
    default:
      return event.type;
  }
}

export function createAgentRig(
  replies: readonly ScriptedReply[],
  options: Partial<AgentOptions> = {},
): AgentRig {
  const model = createScriptedModel(replies);
  const clock = createVirtualClock();
  const events: AgentEvent[] = [];
  const agent = new Agent({
    stream: model.stream,
    model: scriptedModel,
    system: 'You are a test.',
    tools: [echoTool()],
    thinkingLevel: 'off',
    clock,
    random: createSeededRandom(7),
    ...options,
  });
  agent.subscribe((event) => {
    events.push(event);
  });
  return {
    agent,
    model,
    clock,
    events,
    told: () => events.map(mark),
    texts: () => agent.state.messages.map(shortly),
  };
}

/** Journal that lists its entries in order; `failOn` makes the entry of that name throw, like a full disk. */
export function createRecordingJournal(failOn?: string): LoopJournal & { readonly entries: string[] } {
  const entries: string[] = [];
  const note = (entry: string): void => {
    if (failOn !== undefined && entry.startsWith(failOn)) throw new Error('the disk is full');
    entries.push(entry);
  };
  return {
    entries,
    messageAdded: (message) => note(`added ${shortly(message)}`),
    callStarted: ({ callId, tool, replay }) => note(`started ${callId} ${tool} ${replay}`),
    callEnded: (callId, result) => note(`ended ${callId} ${shortly(result)}`),
    compacted: (summary, kept) => note(`compacted ${shortly(summary)} ${kept}`),
  };
}

/** Sets up one case of the agent loop with the product's own `Agent` and runs it. */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from '../../src/core/loop/agent.ts';
import type { AgentEvent } from '../../src/core/loop/events.ts';
import type { BeforeVerdict } from '../../src/core/loop/loop-config.ts';
import type { LoopTool } from '../../src/core/loop/loop-tool.ts';
import { isForModel } from '../../src/core/loop/transcript.ts';
import {
  type AssistantMessage,
  noUsage,
  type TranscriptMessage,
  textBlock,
  userMessage,
} from '../../src/core/models/messages.ts';
import type { ToolOutput } from '../../src/core/tools/tool.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import {
  createScriptedModel,
  type ScriptedBlock,
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
} from '../fakes/scripted-stream.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import type { EarlierMessage, LoopInput, ScriptedAnswer, ScriptedTool } from './loop-file.ts';

export interface Recorded {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly events: AgentEvent[];
  readonly executed: { readonly toolCallId: string; readonly args: unknown }[];
  readonly hookCalls: string[];
  readonly rejections: { readonly op: string; readonly message: string }[];
}

const defaultParameters = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
};

function block(given: ScriptedAnswer['blocks'][number]): ScriptedBlock {
  if ('text' in given) return { type: 'text', chunks: given.text };
  if ('thinking' in given) return { type: 'thinking', chunks: given.thinking };
  const { id, name, args, chunks } = given.toolCall;
  return { type: 'toolCall', id, name, args, chunks: chunks ?? [JSON.stringify(args)] };
}

const reply = ({ blocks, ...rest }: ScriptedAnswer): ScriptedReply =>
  ({ ...rest, blocks: blocks.map(block) }) as ScriptedReply;

const output = (text: string, terminate = false): ToolOutput => ({
  content: [textBlock(text)],
  ...(terminate ? { terminate } : {}),
});

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function tool(given: ScriptedTool, record: Pick<Recorded, 'executed'>): LoopTool {
  return {
    name: given.name,
    description: given.name,
    parameters: given.parameters ?? defaultParameters,
    ...(given.executionMode ? { executionMode: given.executionMode } : {}),
    execute: async (callId, args, signal, onUpdate) => {
      record.executed.push({ toolCallId: callId, args });
      const does = given.behaviour[callId] ?? given.behaviour['*'] ?? {};
      const text = (does.return ?? does.text ?? '').replaceAll('{text}', String(args.text));
      for (const update of does.updates ?? []) {
        await pause(1);
        onUpdate(output(update));
      }
      if (does.delayMs) await pause(does.delayMs);
      if (does.untilAbort) {
        await untilAborted(signal);
        if (does.untilAbort === 'throw') throw new Error(does.text ?? 'aborted');
      }
      if (does.throw !== undefined) throw new Error(does.throw);
      const late = does.lateUpdate;
      if (late !== undefined) setTimeout(() => onUpdate(output(late)), 1);
      return output(text, does.terminate);
    },
  };
}

function message(given: EarlierMessage, timestamp: number): TranscriptMessage {
  const { role, text, thinking, toolCalls = [], toolCallId, toolName = 'echo', isError = false } = given;
  const content = text === '' ? [] : [textBlock(text)];
  if (role === 'user') return userMessage(text, timestamp);
  if (role === 'toolResult') {
    if (toolCallId === undefined) throw new Error('a tool result without toolCallId');
    return { role, toolCallId, toolName, content, isError, timestamp };
  }
  if (role !== 'assistant') return { role: role as 'notification', content: [textBlock(text)], timestamp };
  const { api, provider, id } = scriptedModel;
  const said: AssistantMessage = {
    role: 'assistant',
    content: [
      ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking }]),
      ...content,
      ...toolCalls.map((call) => ({
        type: 'toolCall' as const,
        id: call.id,
        name: call.name,
        arguments: call.args,
      })),
    ],
    api,
    provider,
    model: id,
    usage: noUsage,
    stopReason: toolCalls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  };
  return said;
}

type Hooks = NonNullable<LoopInput['hooks']>;

function hookOptions(hooks: Hooks, record: Pick<Recorded, 'hookCalls'>) {
  const { before, after, transformContextKeepLast: keep, dropRole } = hooks;
  return {
    ...(before
      ? {
          beforeToolCall: ({ toolCall }: { toolCall: { id: string } }): BeforeVerdict | undefined => {
            record.hookCalls.push(`before:${toolCall.id}`);
            const does = before[toolCall.id] ?? before['*'];
            if (does?.throw !== undefined) throw new Error(does.throw);
            return does as BeforeVerdict | undefined;
          },
        }
      : {}),
    ...(after
      ? {
          afterToolCall: ({ toolCall }: { toolCall: { id: string } }): Partial<ToolOutput> | undefined => {
            record.hookCalls.push(`after:${toolCall.id}`);
            const does = after[toolCall.id] ?? after['*'];
            if (does?.throw !== undefined) throw new Error(does.throw);
            if (!does) return undefined;
            const { text, content = text, isError, terminate } = does;
            return {
              ...(content === undefined ? {} : { content: [textBlock(content)] }),
              ...(isError === undefined ? {} : { isError }),
              ...(terminate === undefined ? {} : { terminate }),
            };
          },
        }
      : {}),
    ...(keep === undefined
      ? {}
      : { transformContext: (all: readonly TranscriptMessage[]) => all.slice(-keep) }),
    ...(dropRole === undefined
      ? {}
      : {
          convertToLlm: (all: readonly TranscriptMessage[]) =>
            all.filter((one) => one.role !== dropRole).filter(isForModel),
        }),
  };
}

function attempt(
  record: Recorded,
  op: string,
  text: string | readonly string[] | undefined,
): Promise<void> | undefined {
  const { agent } = record;
  const now = Date.now();
  const single = typeof text === 'string' ? text : '';
  switch (op) {
    case 'prompt':
      return agent.prompt(typeof text === 'object' ? text.map((one) => userMessage(one, now)) : single);
    case 'continue':
      return agent.continue();
    case 'steer':
      agent.steer(single);
      return undefined;
    case 'followUp':
      agent.followUp(single);
      return undefined;
    case 'abort':
      agent.abort();
      return undefined;
    default:
      agent.reset();
      return undefined;
  }
}

/** Records refusals; the run goes on. */
async function operate(
  record: Recorded,
  op: string,
  text: string | readonly string[] | undefined,
): Promise<void> {
  try {
    await attempt(record, op, text);
  } catch (error) {
    record.rejections.push({ op, message: error instanceof Error ? error.message : String(error) });
  }
}

const messageOf = (event: AgentEvent): TranscriptMessage | null =>
  'message' in event ? event.message : null;

const callOf = (event: AgentEvent): string | undefined => {
  const message = messageOf(event);
  if ('toolCallId' in event) return event.toolCallId;
  return message?.role === 'toolResult' ? message.toolCallId : undefined;
};

type When = NonNullable<LoopInput['actions']>[number]['when'];

function isMeant(event: AgentEvent, { type, inner, role, toolCallId }: When): boolean {
  const innerType = event.type === 'message_update' ? event.assistantMessageEvent.type : undefined;
  return (
    event.type === type &&
    (inner === undefined || inner === innerType) &&
    (role === undefined || role === messageOf(event)?.role) &&
    (toolCallId === undefined || toolCallId === callOf(event))
  );
}

function act(record: Recorded, actions: NonNullable<LoopInput['actions']>): (event: AgentEvent) => undefined {
  const seen = actions.map(() => 0);
  return (event) => {
    record.events.push(event);
    for (const [index, { when, op, text }] of actions.entries()) {
      if (!isMeant(event, when)) continue;
      seen[index] = (seen[index] ?? 0) + 1;
      if (seen[index] === (when.nth ?? 1)) void operate(record, op, text);
    }
    return undefined;
  };
}

export async function runCase(input: LoopInput): Promise<Recorded> {
  const { config = {}, hooks = {} } = input;
  const model = createScriptedModel(input.provider.map(reply));
  const parts = { executed: [], hookCalls: [], rejections: [], events: [] };
  const keys = [...(config.apiKeys ?? [])];
  const agent = new Agent({
    stream: model.stream,
    model: scriptedModel,
    system: 'You are a test.',
    tools: (input.tools ?? []).map((given) => tool(given, parts)),
    thinkingLevel: config.thinkingLevel ?? 'off',
    clock: createSystemClock(),
    random: createSeededRandom(1),
    messages: (input.initialMessages ?? []).map((one) => message(one, Date.now())),
    ...(config.toolExecution ? { toolExecution: config.toolExecution } : {}),
    ...(config.steeringMode ? { steeringMode: config.steeringMode } : {}),
    ...(config.followUpMode ? { followUpMode: config.followUpMode } : {}),
    ...(config.sessionId ? { sessionId: config.sessionId } : {}),
    ...(config.apiKeys ? { getApiKey: () => keys.shift() } : {}),
    ...hookOptions(hooks, parts),
  });
  const record: Recorded = { agent, model, ...parts };
  agent.subscribe(act(record, input.actions ?? []));
  for (const { op, text } of input.script) await operate(record, op, text);
  await agent.waitForIdle();
  // Waits for late updates.
  await pause(5);
  return record;
}

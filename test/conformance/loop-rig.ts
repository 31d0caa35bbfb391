/** Sets up one case of the agent loop on the product's own `Agent` and lets it run. */
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
import type { ToolOutput } from '../../src/core/tool-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import {
  createScriptedModel,
  type ScriptedBlock,
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
} from '../fakes/scripted-stream.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import type { LoopInput, ScriptedAnswer, ScriptedTool } from './loop-file.ts';

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

function message({ role, text }: { role: string; text: string }, timestamp: number): TranscriptMessage {
  if (role === 'user') return userMessage(text, timestamp);
  if (role !== 'assistant') return { role: role as 'notification', content: [textBlock(text)], timestamp };
  const { api, provider, id } = scriptedModel;
  const said: AssistantMessage = {
    role: 'assistant',
    content: [textBlock(text)],
    api,
    provider,
    model: id,
    usage: noUsage,
    stopReason: 'stop',
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
            const { content, isError, terminate } = does;
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

/** What is refused is recorded; the run goes on. */
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

function act(record: Recorded, actions: NonNullable<LoopInput['actions']>): (event: AgentEvent) => undefined {
  const seen = actions.map(() => 0);
  return (event) => {
    record.events.push(event);
    for (const [index, { when, op, text }] of actions.entries()) {
      const inner = event.type === 'message_update' ? event.assistantMessageEvent.type : undefined;
      if (event.type !== when.type || (when.inner !== undefined && when.inner !== inner)) continue;
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
  // Late updates would come now.
  await pause(5);
  return record;
}

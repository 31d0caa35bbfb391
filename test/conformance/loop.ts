/**
 * Runs the agent loop against recorded cases. Strict: every event in order, with the fields that a case
 * names. One exception is part of the cases: if the provider function throws, `agent_end` may also list the
 * prompts.
 */

import type { AgentEvent } from '../../src/core/loop/events.ts';
import { type TranscriptMessage, transcriptText } from '../../src/core/models/messages.ts';
import type { CaseResult, FileSuite } from './case.ts';
import { loopCase as caseSchema, type LoopCase, loopFile } from './loop-file.ts';
import { type Recorded, runCase } from './loop-rig.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mentions(actual: unknown, words: unknown): boolean {
  if (typeof actual !== 'string' || actual === '' || !Array.isArray(words)) return false;
  return words.every((word) => actual.toLowerCase().includes(String(word).toLowerCase()));
}

/** Path of the first difference; `null` if none. Expected members must exist; others are allowed. */
function difference(actual: unknown, expected: unknown, path: string): string | null {
  if (expected === '*') return typeof actual === 'string' && actual !== '' ? null : `${path}: no text`;
  if (isFields(expected) && Object.hasOwn(expected, 'anyTextMentioning')) {
    return mentions(actual, expected.anyTextMentioning)
      ? null
      : `${path}: ${JSON.stringify(actual)} does not mention it`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path}: not a list`;
    for (const [index, part] of expected.entries()) {
      const found = difference(actual[index], part, `${path}[${index}]`);
      if (found) return found;
    }
    return actual.length === expected.length
      ? null
      : `${path}: ${actual.length} instead of ${expected.length}`;
  }
  if (isFields(expected)) {
    if (!isFields(actual)) return `${path}: is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
    for (const [key, part] of Object.entries(expected)) {
      const found = difference(actual[key], part, `${path}.${key}`);
      if (found) return found;
    }
    return null;
  }
  if (typeof expected === 'string' && expected.endsWith(':*') && typeof actual === 'string') {
    const head = expected.slice(0, -1);
    return actual.startsWith(head) && actual.length > head.length ? null : `${path}: ${actual}`;
  }
  return Object.is(actual, expected)
    ? null
    : `${path}: is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

const callIds = (message: TranscriptMessage): readonly string[] =>
  message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));

function shownMessage(message: TranscriptMessage): Fields {
  const ids = callIds(message);
  const text = transcriptText(message);
  const thinking = message.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
  return {
    role: message.role,
    ...(text === '' ? {} : { text }),
    ...(thinking === '' ? {} : { thinking }),
    ...(ids.length > 0 ? { toolCalls: ids } : {}),
    ...(message.role === 'assistant'
      ? { stopReason: message.stopReason, errorMessage: message.errorMessage }
      : {}),
    ...(message.role === 'toolResult'
      ? { toolCallId: message.toolCallId, toolName: message.toolName, isError: message.isError }
      : {}),
  };
}

function shownEvent(event: AgentEvent): Fields {
  switch (event.type) {
    case 'message_start':
    case 'message_end':
      return { ...shownMessage(event.message), type: event.type };
    case 'message_update': {
      const { type: inner, contentIndex } = event.assistantMessageEvent;
      return { type: event.type, inner, contentIndex };
    }
    case 'tool_execution_update':
      return {
        type: event.type,
        toolCallId: event.toolCallId,
        text: event.partialResult.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      };
    case 'turn_end':
      return { type: event.type, toolResults: event.toolResults.map((result) => result.toolCallId) };
    case 'agent_end':
      return { type: event.type, roles: event.messages.map((message) => message.role) };
    default:
      return { ...event };
  }
}

function shownRequest({ context, options }: Recorded['model']['requests'][number]): Fields {
  const messages = context.messages.map((message) => {
    const calls = callIds(message).map((id) => `call(${id})`);
    return `${message.role}:${[transcriptText(message), ...calls].filter((part) => part !== '').join('+')}`;
  });
  const { sessionId, thinkingLevel } = options;
  return {
    messages,
    apiKey: options.apiKey,
    sessionId,
    reasoning: thinkingLevel === 'off' ? undefined : thinkingLevel,
  };
}

function observed(record: Recorded): Fields {
  const { agent } = record;
  const { isStreaming, pendingToolCalls, errorMessage, messages } = agent.state;
  return {
    events: record.events.map(shownEvent),
    providerRequests: record.model.requests.map(shownRequest),
    executed: record.executed,
    hookCalls: record.hookCalls,
    rejections: record.rejections,
    messages: messages.map(shownMessage),
    stateAfter: {
      isStreaming,
      pendingToolCalls: pendingToolCalls.size,
      errorMessage,
      queued: agent.hasQueuedMessages,
    },
  };
}

/** Exception for cases with a throwing provider: removes the prompts before the messages of `agent_end`. */
function withoutPrompts(actual: Fields, loopCase: LoopCase): Fields {
  if (!loopCase.input.provider.some((answer) => answer.emit === 'throw')) return actual;
  const events = (actual.events as readonly Fields[]).map((event) =>
    event.type === 'agent_end'
      ? { ...event, roles: (event.roles as readonly string[]).filter((role) => role !== 'user') }
      : event,
  );
  return { ...actual, events };
}

async function judge(loopCase: LoopCase): Promise<CaseResult> {
  const name = `${loopCase.level}/${loopCase.name}`;
  try {
    const actual = withoutPrompts(observed(await runCase(loopCase.input)), loopCase);
    const { rejections = [], ...expected } = loopCase.expected;
    return { name, why: difference(actual, { ...expected, rejections }, '') };
  } catch (error) {
    return { name, why: error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error) };
  }
}

export const loopSuite: FileSuite = async (file) => {
  const { cases } = loopFile.parse(file);
  const results: CaseResult[] = [];
  for (const [index, each] of cases.entries()) {
    const parsed = caseSchema.safeParse(each);
    if (parsed.success) results.push(await judge(parsed.data));
    else
      results.push({ name: `case ${index + 1}`, why: `cannot be read: ${parsed.error.issues[0]?.message}` });
  }
  return results;
};

/**
 * Rebuilds the conversation of a task from its steps: each step stores its answer or result in full, and the
 * host's messages in between follow from them. A replay reads exactly what the first run read.
 */
import { z } from 'zod';
import { jsonAs } from '../lib/json-as.ts';
import { messageSchema } from '../models/message-schema.ts';
import {
  type AssistantMessage,
  type TranscriptMessage,
  textBlock,
  transcriptText,
  userMessage,
} from '../models/messages.ts';
import type { TranscriptEntry } from '../models/transcript-store.ts';
import type { Task } from './task.ts';
import { goalMessage, goOn } from './task-prompts.ts';
import type { TaskStep } from './task-step.ts';

/** Sequence numbers reserved per step: its message first, then the host's messages after it. */
const perStep = 16;
export const seqOf = (step: number, place = 0): number => step * perStep + place;

const summarySchema = z.object({
  summary: messageSchema,
  /** First entry that the summary does not replace. */
  keepFrom: z.number().int(),
});

export const callsNothing = (message: TranscriptMessage): boolean =>
  message.role === 'assistant' && message.content.every(({ type }) => type !== 'toolCall');

export const writeSummary = (summary: TranscriptMessage, keepFrom: number): string =>
  JSON.stringify({ summary, keepFrom });

/** Validates only, and returns the original, so unknown fields are kept. */
function messageIn(text: string): TranscriptMessage | null {
  return jsonAs(messageSchema, text) === null ? null : (JSON.parse(text) as TranscriptMessage);
}

/** Call id of the model, without the number that the journal adds to repeats. */
export const modelCallId = (callId: string): string => callId.replace(/#\d+$/, '');

/** Text of an imported or manually settled step. */
function plainMessage(step: TaskStep, text: string, answer: AssistantMessage | null): TranscriptMessage {
  const timestamp = step.endedAt ?? step.startedAt;
  const id = modelCallId(step.callId);
  const called = answer?.content.some((block) => block.type === 'toolCall' && block.id === id);
  if (!called) return userMessage(`What was done before (${step.action}): ${text}`, timestamp);
  const result = { toolCallId: id, toolName: step.action, content: [textBlock(text)] };
  return { role: 'toolResult', ...result, isError: step.error !== null, timestamp };
}

export interface TaskTalk {
  readonly entries: readonly TranscriptEntry[];
  /** Latest consecutive answers without a tool call. */
  readonly idle: number;
}

/** `null` if the step adds no entry, e.g. it is open, or its request failed, which only the log shows. */
function keptOf({ kind, endedAt, result, error }: TaskStep): string | null {
  if (endedAt === null || (kind === 'decision' && error !== null)) return null;
  return result ?? error;
}

/** `steps`: all steps of the task, in order. */
export function taskTalk(task: Task, steps: readonly TaskStep[]): TaskTalk {
  let entries: TranscriptEntry[] = [{ seq: 1, message: userMessage(goalMessage(task), task.createdAt) }];
  let idle = 0;
  let answer: AssistantMessage | null = null;
  for (const step of steps) {
    const kept = keptOf(step);
    if (kept === null) continue;
    const summary = summaryIn(step, kept);
    if (summary) {
      const rest = entries.filter(({ seq }) => seq >= summary.keepFrom);
      entries = [{ seq: seqOf(step.number), message: summary.summary }, ...rest];
      continue;
    }
    const message: TranscriptMessage = messageIn(kept) ?? plainMessage(step, kept, answer);
    entries.push({ seq: seqOf(step.number), message });
    if (message.role !== 'assistant') continue;
    answer = message;
    idle = callsNothing(message) ? idle + 1 : 0;
    if (callsNothing(message)) entries.push(nudgeAfter(step.number, message.timestamp));
  }
  return { entries, idle };
}

/** Host message after an answer without a tool call. */
export const nudgeAfter = (step: number, at: number): TranscriptEntry => ({
  seq: seqOf(step, 1),
  message: userMessage(goOn, at),
});

function summaryIn({ kind }: Pick<TaskStep, 'kind'>, kept: string) {
  if (kind !== 'decision' || jsonAs(summarySchema, kept) === null) return null;
  return JSON.parse(kept) as { readonly summary: TranscriptMessage; readonly keepFrom: number };
}

/** Readable text of a step: what the model wrote and called, or the tool result. */
export function stepWords(step: Pick<TaskStep, 'kind' | 'result'>): string | null {
  if (step.result === null) return null;
  if (summaryIn(step, step.result)) return 'The conversation had become long and was summed up.';
  const message = messageIn(step.result);
  if (!message) return step.result;
  const said = transcriptText(message).trim();
  const calls = message.content.flatMap((block) =>
    block.type === 'toolCall' ? [`${block.name} ${JSON.stringify(block.arguments)}`] : [],
  );
  return [said, ...calls].filter((line) => line !== '').join('\n') || '(nothing)';
}

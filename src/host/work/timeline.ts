import type { Approval } from '../../contract/approvals.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { TurnPart } from '../../contract/work-methods.ts';
import { plainTitle, stepTitle } from '../../core/agents/tool-step-titles.ts';
import type { TurnContents, TurnTrace } from '../../core/agents/turn-records.ts';
import { argumentsText } from '../../core/lib/arguments-text.ts';
import {
  type AssistantMessage,
  type ToolCallBlock,
  type ToolResultMessage,
  type TranscriptMessage,
  transcriptText,
} from '../../core/models/messages.ts';
import { contentText } from '../../core/runtimes/turn-steps.ts';
import { englishText } from '../../language/host-message.ts';

export interface TimelineSources extends TurnContents {
  readonly approvals: readonly Approval[];
  readonly open: boolean;
}

const blank: Omit<TurnPart, 'id' | 'kind' | 'startedAt'> = {
  title: '',
  state: 'done',
  firstAt: null,
  endedAt: null,
  input: '',
  output: '',
  cut: false,
  model: null,
  approvalId: null,
};

function saidIn(message: AssistantMessage): string {
  const thought = message.content.flatMap((block) =>
    block.type === 'thinking' && block.thinking !== '' ? [block.thinking] : [],
  );
  const text = transcriptText(message);
  return [...thought, ...(text === '' ? [] : [text])].join('\n\n');
}

const failedStop = (stop: string): boolean => stop === 'error' || stop === 'aborted';

type ModelTrace = Extract<TurnTrace, { kind: 'model' }>;

function modelPart(seq: number, message: AssistantMessage): TurnPart {
  const { timing, usage, provider, model, stopReason, errorMessage } = message;
  return {
    ...blank,
    id: `m${seq}`,
    kind: 'model',
    state: failedStop(stopReason) ? 'failed' : 'done',
    startedAt: timing?.startedAt ?? message.timestamp,
    firstAt: timing?.firstAt ?? null,
    endedAt: timing?.endedAt ?? null,
    output: [saidIn(message), ...(errorMessage ? [errorMessage] : [])].join('\n\n').trim(),
    model: {
      provider,
      model,
      input: usage.input,
      output: usage.output,
      cacheRead: usage.cacheRead,
      usd: usage.cost?.total ?? null,
      stop: stopReason,
    },
  };
}

/** Model requests without a message: failed, or cut off by the end of the turn. */
function tracePart(line: TurnTrace, index: number): TurnPart {
  if (line.kind === 'retry') {
    const { at, inMs, error } = line;
    return {
      ...blank,
      id: `r${index}`,
      kind: 'retry',
      startedAt: at,
      endedAt: at + inMs,
      output: englishText(error),
    };
  }
  const { provider, model, input, output, cacheRead, usd, stop, startedAt, firstAt, endedAt, error } = line;
  return {
    ...blank,
    id: `t${index}`,
    kind: 'model',
    startedAt,
    firstAt,
    endedAt,
    output: englishText(error),
    state: failedStop(stop) ? 'failed' : 'done',
    model: { provider, model, input, output, cacheRead, usd, stop },
  };
}

interface Call {
  readonly block: ToolCallBlock;
  readonly result: ToolResultMessage | undefined;
  readonly startedAt: number;
  readonly step: ToolStep | undefined;
}

function callState({ step, result }: Call, open: boolean): TurnPart['state'] {
  if (step && !(step.endedAt === null && !open)) return step.state;
  if (result) return result.isError ? 'failed' : 'done';
  return open ? 'running' : 'unknown';
}

function callPart(call: Call, id: string, open: boolean): TurnPart {
  const { block, result, step } = call;
  const state = callState(call, open);
  const tense =
    state === 'running' || state === 'waiting' ? 'running' : state === 'done' ? 'done' : 'not_done';
  return {
    ...blank,
    id,
    kind: 'tool',
    state,
    startedAt: step?.startedAt ?? call.startedAt,
    title: step?.title ?? stepTitle(plainTitle(block.name, block.arguments), tense),
    endedAt: step?.endedAt ?? result?.timestamp ?? null,
    input: argumentsText({ tool: block.name, ...block.arguments }),
    output: result ? contentText(result.content) : '',
    approvalId: step?.approvalId ?? null,
  };
}

/** A call without a transcript, or a wait for budget. */
const stepPart = (step: ToolStep): TurnPart => ({
  ...blank,
  id: `c:${step.callId}`,
  kind: 'tool',
  title: step.title,
  state: step.state,
  startedAt: step.startedAt,
  endedAt: step.endedAt,
  input: step.detail,
  approvalId: step.approvalId,
});

const waitStates = {
  waiting: 'waiting',
  allowed: 'done',
  denied: 'denied',
  expired: 'failed',
  cancelled: 'unknown',
} as const;

const waitPart = ({ id, title, createdAt, decision, state, why }: Approval): TurnPart => ({
  ...blank,
  id: `a:${id}`,
  kind: 'wait',
  title,
  startedAt: createdAt,
  endedAt: decision?.at ?? null,
  state: waitStates[state],
  input: englishText(why),
  output: englishText(decision?.reason ?? ''),
  approvalId: id,
});

const isCall = (block: AssistantMessage['content'][number]): block is ToolCallBlock =>
  block.type === 'toolCall';

function messageParts(sources: TimelineSources): { parts: TurnPart[]; seen: Set<string> } {
  const { messages, steps, calls, open } = sources;
  const parts: TurnPart[] = [];
  const seen = new Set<string>();
  const begun = new Map(calls.map(({ callId, startedAt }) => [callId, startedAt]));
  const results = resultsByCall(messages.map(({ message }) => message));
  for (const { seq, message } of messages) {
    if (message.role === 'user') {
      const { timestamp } = message;
      parts.push({
        ...blank,
        id: `u${seq}`,
        kind: 'asked',
        startedAt: timestamp,
        endedAt: timestamp,
        input: contentText(message.content),
      });
    }
    if (message.role !== 'assistant') continue;
    const part = modelPart(seq, message);
    parts.push(part);
    for (const block of message.content.filter(isCall)) {
      const id = `c:${block.id}`;
      const startedAt = begun.get(block.id) ?? part.endedAt ?? part.startedAt;
      const result = results.get(block.id)?.shift();
      const again = seen.has(id);
      const step = again ? undefined : steps.find(({ callId }) => callId === block.id);
      parts.push(callPart({ block, result, startedAt, step }, again ? `${id}#${seq}` : id, open));
      seen.add(id);
    }
  }
  return { parts, seen };
}

/** Providers may reuse an id within a turn: results match calls in order. */
function resultsByCall(messages: readonly TranscriptMessage[]): Map<string, ToolResultMessage[]> {
  const found = new Map<string, ToolResultMessage[]>();
  for (const message of messages) {
    if (message.role !== 'toolResult') continue;
    found.set(message.toolCallId, [...(found.get(message.toolCallId) ?? []), message]);
  }
  return found;
}

const rank = { asked: 0, model: 1, retry: 2, wait: 3, tool: 4 } as const;

/** All parts of a turn, uncut, in order of start. */
export function timelineOf(sources: TimelineSources): readonly TurnPart[] {
  const { parts, seen } = messageParts(sources);
  const told = new Set(parts.flatMap((part) => (part.kind === 'model' ? [part.startedAt] : [])));
  const isTold = (line: TurnTrace): line is ModelTrace => line.kind === 'model' && told.has(line.startedAt);
  return [
    ...parts,
    ...sources.trace.flatMap((line, index) => (isTold(line) ? [] : [tracePart(line, index)])),
    ...sources.steps.filter(({ callId }) => !seen.has(`c:${callId}`)).map(stepPart),
    ...sources.approvals.map(waitPart),
  ].sort((a, b) => a.startedAt - b.startedAt || rank[a.kind] - rank[b.kind]);
}

/** The last text of the turn, according to its transcript. */
export function lastWords({ messages }: TurnContents): string {
  const answers = messages.flatMap(({ message }) =>
    message.role === 'assistant' ? [transcriptText(message)] : [],
  );
  return answers.findLast((text) => text.trim() !== '') ?? '';
}

/** Characters of input and of output per part in the list. */
const shownLimit = 4_000;
const maxParts = 500;

export function shownParts(all: readonly TurnPart[]): { parts: TurnPart[]; omitted: number } {
  const parts = all.slice(-maxParts).map((part) => {
    const cut = part.input.length > shownLimit || part.output.length > shownLimit;
    if (!cut) return part;
    return { ...part, cut, input: part.input.slice(0, shownLimit), output: part.output.slice(0, shownLimit) };
  });
  return { parts, omitted: all.length - parts.length };
}

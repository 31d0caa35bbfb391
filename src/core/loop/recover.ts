/**
 * Restores a conversation after a crash, without side effects. Recorded results are reused, and calls that
 * never started run. A call with an unknown outcome runs again only if its tool allows that; otherwise the
 * model learns that the outcome is unknown.
 */
import type {
  AssistantMessage,
  NoteMessage,
  ToolCallBlock,
  ToolResultMessage,
  TranscriptMessage,
} from '../models/messages.ts';
import type { CallIntent } from '../models/transcript-store.ts';

export interface Recovered {
  /** Messages for the agent; results of a batch in call order. */
  readonly messages: readonly TranscriptMessage[];
  /** New entries of `messages`, to record in this order (results as the end of their call). */
  readonly added: readonly (ToolResultMessage | NoteMessage)[];
  /** Calls that `Agent.continue()` will run: interrupted and safe to repeat, or never started. */
  readonly rerun: readonly ToolCallBlock[];
  /** A call, a result or a question has no answer yet. */
  readonly unfinished: boolean;
}

const unknownOutcome = (name: string): string =>
  `The outcome of ${name} is unknown: Kennel stopped while it ran. It was not run again. Check what it has done before you repeat it.`;

const interruption = 'Kennel stopped in the middle of this turn and went on from what was recorded.';

interface Tail {
  readonly at: number;
  readonly message: AssistantMessage;
}

function newestAnswer(messages: readonly TranscriptMessage[]): Tail | null {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === 'assistant') return { at, message };
  }
  return null;
}

const callsOf = (message: AssistantMessage): readonly ToolCallBlock[] =>
  message.stopReason === 'error' || message.stopReason === 'aborted'
    ? []
    : message.content.filter((block) => block.type === 'toolCall');

function unknownResult(call: ToolCallBlock, at: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: unknownOutcome(call.name) }],
    details: { outcome: 'unknown' },
    isError: true,
    timestamp: at,
  };
}

const noteOf = (at: number): NoteMessage => ({
  role: 'note',
  content: [{ type: 'text', text: interruption }],
  details: { interrupted: true },
  timestamp: at,
});

/** Results are recorded in order of their end; the transcript needs call order. */
function inCallOrder(
  results: readonly ToolResultMessage[],
  calls: readonly ToolCallBlock[],
): readonly ToolResultMessage[] {
  return calls.flatMap((call) => results.find((result) => result.toolCallId === call.id) ?? []);
}

/** Sorts the results after every answer, so an older batch reads as before the crash. */
function sortBatches(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const sorted: TranscriptMessage[] = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    at += 1;
    if (!message) continue;
    sorted.push(message);
    if (message.role !== 'assistant') continue;
    const results: ToolResultMessage[] = [];
    for (let next = messages[at]; next?.role === 'toolResult'; next = messages[at]) {
      results.push(next);
      at += 1;
    }
    if (results.length > 0) sorted.push(...inCallOrder(results, callsOf(message)));
  }
  return sorted;
}

/**
 * `loaded`: as recorded, oldest first. `open`: calls with an intent and no result. `at`: ms since the epoch.
 */
export function recover(
  loaded: readonly TranscriptMessage[],
  open: readonly CallIntent[],
  at: number,
): Recovered {
  const messages = [...sortBatches(loaded)];
  const tail = newestAnswer(messages);
  const behind = tail ? messages.slice(tail.at + 1) : [];
  const asked = behind.some((message) => message.role === 'user');
  const calls = tail && !asked ? callsOf(tail.message) : [];
  const results = behind.filter((message) => message.role === 'toolResult');
  const begun = new Map(open.map((intent) => [intent.callId, intent]));
  const added: ToolResultMessage[] = [];
  const rerun: ToolCallBlock[] = [];
  for (const call of calls) {
    if (results.some((result) => result.toolCallId === call.id)) continue;
    if (begun.get(call.id)?.replay === 'never') added.push(unknownResult(call, at));
    else rerun.push(call);
  }
  // A note, such as the one of a program's session, answers nothing.
  const last = messages.findLast(({ role }) => role !== 'note')?.role;
  const unfinished = calls.length > 0 || last === 'user' || last === 'toolResult';
  if (!tail || calls.length === 0) return { messages, added, rerun, unfinished };
  const kept = messages.slice(0, tail.at + 1);
  const others = behind.filter((message) => message.role !== 'toolResult');
  const note = noteOf(at);
  return {
    messages: [...kept, ...inCallOrder([...results, ...added], calls), ...others, note],
    added: [...added, note],
    rerun,
    unfinished,
  };
}

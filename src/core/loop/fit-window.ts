/**
 * Final check of a request before it is sent: drops the oldest messages that do not fit the model's window,
 * and adds a note. A call and its result go together, and an earlier summary stays. Otherwise servers
 * truncate silently or refuse.
 */

import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type Message, textBlock, transcriptText, userMessage } from '../models/messages.ts';
import type { ModelContext } from '../models/model-ports.ts';
import { isSummary } from './plan-compaction.ts';
import { cutToTokens, estimateContext, estimateTokens, overheadTokens } from './tokens.ts';

/** Share of the window left for the answer. */
const answerShare = 1 / 8;
const noteTokens = 40;
const leastRoom = 64;

/** Fails if system prompt and tools alone leave no tokens. */
export function fitToWindow(context: ModelContext, window: number): Result<ModelContext> {
  const limit = window - Math.ceil(window * answerShare);
  if (estimateContext(context) <= limit) return ok(context);
  const overhead = overheadTokens(context);
  const room = limit - overhead - noteTokens;
  if (room < leastRoom) {
    const values = { n: overhead, window };
    return err(fail('model_error', 'turns.windowTooSmall', values, { help: 'turns.chooseLargerWindow' }));
  }
  return ok({ ...context, messages: newest(context.messages, room) });
}

function newest(messages: readonly Message[], room: number): readonly Message[] {
  // Unconfirmed notes may precede the summary.
  const at = messages.findIndex(isSummary);
  const found = at < messages.length - 1 ? messages.slice(Math.max(0, at), at + 1) : [];
  const summary = shortened(found, Math.floor(room / 4));
  const rest = messages.filter((message) => !found.includes(message));
  const left = room - tokensOf(summary);
  let from = rest.length;
  for (let at = rest.length - 1, tokens = 0; at >= 0; at -= 1) {
    const message = rest[at];
    if (!message) break;
    tokens += estimateTokens(message);
    if (tokens > left) break;
    if (message.role !== 'toolResult') from = at;
  }
  // Not even the newest group fits unchanged.
  const group = from < rest.length ? from : rest.findLastIndex(({ role }) => role !== 'toolResult');
  const kept = from < rest.length ? rest.slice(from) : shortened(rest.slice(Math.max(0, group)), left);
  const missing = rest.length - kept.length;
  const note = missing === 0 ? [] : [userMessage(noteOf(missing), kept[0]?.timestamp ?? 0)];
  return [...summary, ...note, ...kept];
}

const noteOf = (missing: number): string =>
  `[${missing} ${missing === 1 ? 'message is' : 'messages are'} left out here: they do not fit the window of the model.]`;

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, one) => sum + estimateTokens(one), 0);

/** Each text gets an equal share; pictures of shortened messages are dropped. */
function shortened(messages: readonly Message[], room: number): readonly Message[] {
  if (tokensOf(messages) <= room) return messages;
  const calls = messages.filter(({ role }) => role === 'assistant');
  const others = messages.length - calls.length;
  const share = Math.floor(Math.max(0, room - tokensOf(calls)) / Math.max(1, others));
  return messages.map((message) =>
    message.role === 'assistant' || estimateTokens(message) <= share
      ? message
      : { ...message, content: [textBlock(cutToTokens(transcriptText(message), share))] },
  );
}

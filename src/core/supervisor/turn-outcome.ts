/**
 * Maps the result of a turn to the row that closes its messages: status, reply, and the end of the
 * transcript.
 */

import { type AppError, messageOf } from '../../contract/errors.ts';
import { conversationIdIn, dmSlug } from '../../contract/room-id.ts';
import type { ToolStep } from '../../contract/work.ts';
import { say } from '../../language/say.ts';
import { routeReply } from '../agents/reply-routing.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import { cutCodePoints } from '../lib/text.ts';
import type { TranscriptMessage } from '../models/messages.ts';
import type { OpenWork, TurnOutcome } from '../puffo/account-store.ts';
import { isLocalEnvelopeId } from '../puffo/ids.ts';
import type { OutboxDraft, StoredMessage } from '../puffo/stored-message.ts';
import type { TurnResult } from './turn-run.ts';

export interface OutcomeInput {
  readonly turnId: string;
  readonly threadKey: string;
  /** All messages that the turn has taken, the newest last. */
  readonly work: readonly OpenWork[];
  readonly steps: readonly ToolStep[];
  readonly trace: readonly TurnTrace[];
  readonly result: Exclude<TurnResult, { type: 'interrupted' }>;
  readonly plainModel: boolean;
  readonly at: number;
  readonly newEnvelopeId: () => string;
}

/**
 * `null` if the text is an API error of a runtime that reports errors as text; the turn is then retried (spec
 * §6.4).
 */
export function turnOutcome(input: OutcomeInput): TurnOutcome | null {
  const { result } = input;
  if (result.type === 'failed')
    return failedOutcome(input, result.error, result.partialText, result.transcript);
  const { transcript } = result;
  if (result.type === 'stopped') {
    return { ...base(input), status: 'stopped', detail: stoppedByOperator, replies: [], transcript };
  }
  if (result.withheld !== null)
    return { ...base(input), status: 'silent', detail: result.withheld, replies: [], transcript };
  const route = routeReply({ ...result, plainModel: input.plainModel });
  switch (route.type) {
    case 'retry':
      return null;
    case 'silent': {
      const status = route.why === 'sent_by_tool' ? 'done' : 'silent';
      const under = result.sentAs === null ? {} : { stepsUnder: result.sentAs };
      return {
        ...base(input),
        ...under,
        status,
        detail: say(silenceTexts[route.why]),
        replies: [],
        transcript,
      };
    }
    case 'reply':
      return {
        ...base(input),
        status: 'done',
        detail: '',
        replies: [replyDraft(input, route.text)],
        transcript,
      };
  }
}

/** Keeps the partial text for the operator. */
export function failedOutcome(
  input: Omit<OutcomeInput, 'result'>,
  error: AppError,
  partialText: string,
  transcript: readonly TranscriptMessage[],
): TurnOutcome {
  const why = messageOf(error);
  const partial = cutCodePoints(partialText.trim(), 4_000);
  return {
    ...base(input),
    status: 'failed',
    detail: partial === '' ? why : say('turns.failedWithPartial', { why, partial }),
    replies: [],
    transcript,
  };
}

export const stoppedByOperator = say('turns.stoppedByYou');

const silenceTexts = {
  sent_by_tool: 'turns.sentByTool',
  asked_for_silence: 'turns.choseSilence',
  nothing_said: 'turns.modelGaveNoText',
} as const;

function base(input: Omit<OutcomeInput, 'result'>) {
  return {
    turnId: input.turnId,
    threadKey: input.threadKey,
    envelopeIds: input.work.map(({ message }) => message.envelopeId),
    steps: input.steps,
    trace: input.trace,
    at: input.at,
  };
}

/** Recipient of a direct reply; a prompt of the host itself has no sender in that room. */
const correspondent = ({ envelopeId, roomId, senderSlug }: StoredMessage): string =>
  isLocalEnvelopeId(envelopeId) ? (dmSlug(roomId) ?? senderSlug) : senderSlug;

/**
 * Replies to the root of the thread, folded for human clients (spec §3.6); a root of its own is never folded
 * (spec §3.2).
 */
function replyDraft(input: OutcomeInput, text: string): OutboxDraft {
  const last = input.work.at(-1);
  const message = last?.message;
  const channel = message?.kind === 'channel';
  const root = last?.rootId ?? null;
  // A prompt of the host itself has no message in the room to reply to.
  const own = root !== null && isLocalEnvelopeId(root);
  return {
    envelopeId: input.newEnvelopeId(),
    kind: channel ? 'channel' : 'dm',
    spaceId: channel ? message.spaceId : null,
    channelId: channel ? message.channelId : null,
    recipientSlug: channel || !message ? null : correspondent(message),
    conversationId: message ? conversationIdIn(message.roomId) : null,
    threadRootId: own ? null : root,
    contentType: 'text/plain',
    content: text,
    visible: own,
    createdAt: input.at,
  };
}

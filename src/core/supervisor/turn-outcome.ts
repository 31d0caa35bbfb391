/** From a turn's result to the one row that closes its messages: status, reply, and what the conversation remembers. */
import type { AppError } from '../../contract/errors.ts';
import { routeReply } from '../agents/reply-routing.ts';
import { cutCodePoints } from '../lib/text.ts';
import type { LogEntry, OutboxDraft, TurnOutcome } from '../ports.ts';
import type { Batch } from './turn-queue.ts';
import type { TurnResult } from './turn-run.ts';

export interface OutcomeInput {
  readonly turnId: string;
  readonly batch: Batch;
  readonly input: string;
  readonly result: Exclude<TurnResult, { type: 'interrupted' }>;
  readonly plainModel: boolean;
  /** ms since the epoch. */
  readonly at: number;
  readonly newEnvelopeId: () => string;
}

/** Null: the text is an API error of a runtime that reports them as text; the turn wants another try (spec §6.4). */
export function outcomeOf(input: OutcomeInput): TurnOutcome | null {
  const { result } = input;
  if (result.type === 'failed') return failedOutcome(input, result.error, result.partialText);
  const route = routeReply({ ...result, plainModel: input.plainModel });
  switch (route.type) {
    case 'retry':
      return null;
    case 'silent': {
      const said = result.parts.join('');
      const log = [user(input), ...(said.trim() === '' ? [] : [assistant(said)])];
      const status = route.why === 'sent_by_tool' ? 'done' : 'silent';
      return { ...base(input), status, detail: silenceWords[route.why], replies: [], log };
    }
    case 'reply':
      return {
        ...base(input),
        status: 'done',
        detail: '',
        replies: [replyDraft(input, route.text)],
        log: [user(input), assistant(route.text)],
      };
  }
}

/** The partial text is kept for the operator, and for the agent's own memory of the conversation. */
export function failedOutcome(
  input: Omit<OutcomeInput, 'result'>,
  error: AppError,
  partialText: string,
): TurnOutcome {
  const partial = partialText.trim();
  const kept = partial === '' ? '' : `\n\nWritten until then:\n${cutCodePoints(partial, 4_000)}`;
  return {
    ...base(input),
    status: 'failed',
    detail: `${error.message}${kept}`,
    replies: [],
    log: [user(input), ...(partial === '' ? [] : [assistant(partial)])],
  };
}

const silenceWords = {
  sent_by_tool: 'The agent sent its messages itself.',
  asked_for_silence: 'The agent chose to say nothing.',
  nothing_said: 'The model gave no text.',
} as const;

const user = (input: Pick<OutcomeInput, 'input'>): LogEntry => ({ role: 'user', content: input.input });
const assistant = (content: string): LogEntry => ({ role: 'assistant', content });

function base(input: Omit<OutcomeInput, 'result'>) {
  return {
    turnId: input.turnId,
    envelopeIds: input.batch.work.map(({ message }) => message.envelopeId),
    at: input.at,
  };
}

/** To the thread's root, folded for human clients (spec §3.6). */
function replyDraft(input: OutcomeInput, text: string): OutboxDraft {
  const last = input.batch.work.at(-1)?.message;
  const channel = last?.kind === 'channel';
  return {
    envelopeId: input.newEnvelopeId(),
    kind: channel ? 'channel' : 'dm',
    spaceId: channel ? last.spaceId : null,
    channelId: channel ? last.channelId : null,
    recipientSlug: channel ? null : (last?.senderSlug ?? null),
    threadRootId: input.batch.rootId,
    contentType: 'text/plain',
    content: text,
    visible: false,
    createdAt: input.at,
  };
}

import type { Approval, ApprovalAnswer } from '../../contract/consent.ts';
import { dmRoomId, dmSlug } from '../../contract/room-id.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import type { ApprovalCentre } from '../../core/approvals/centre.ts';
import { mayAgree, questionText } from '../../core/approvals/consent-question.ts';
import { consentAnswer } from '../../core/approvals/consent-words.ts';
import { notCountedText, tooLateText } from '../../core/approvals/outcome-words.ts';
import { isOutside } from '../../core/approvals/outside-question.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { CryptoEngine, OutboxDraft, StoredMessage } from '../../core/ports.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import type { HostContext } from '../context.ts';
import { derivedEnvelopeId } from '../fleet/derived-id.ts';
import type { OpenParts } from '../operator.ts';
import { type ConsentPlaces, createConsentPlaces } from './consent-place.ts';
import { type ConsentReplies, createConsentReplies } from './consent-replies.ts';
import { createOperatorTrust, type OperatorTrust } from './operator-trust.ts';

// The encrypted chat as a surface for answers (T8). Each question is a root message of its own, so that its thread is
// about nothing else.

export interface ChatConsentDeps {
  readonly context: () => Pick<HostContext, 'ports' | 'layout' | 'agents' | 'fleet' | 'operator'>;
  readonly centre: () => ApprovalCentre | null;
  /** The invitation, decided lately, that this message of the operator's was the answer to. */
  readonly answeredBy: (agentId: string, messageId: string) => ApprovalRow | null;
}

/** The message by which an agent asks about an invitation; `key` is that of the question. */
export const askedAs = (crypto: Pick<CryptoEngine, 'sha256'>, slug: string, key: string): string =>
  derivedEnvelopeId(crypto, slug, 'asks', key);

export interface ChatConsent {
  /** The vault is open: from now on identities can be told apart. */
  trust(parts: OpenParts): void;
  /** Puts a question into the chat, once. */
  post(row: ApprovalRow): void;
  /** Says below a question of a run, once, that somebody agreed or how it was decided. */
  follow(approval: Approval): void;
  /** True: the message was an answer, and is nothing else. */
  intercept(agentId: string, message: StoredMessage): boolean;
}

/**
 * What a message answers: the question in whose thread it is. A no also answers an invitation that alone waits; a yes
 * there might be meant for something else that the agent has said, at the moment a stranger chose (T8).
 */
function askedBy(
  { answeredBy }: Pick<ChatConsentDeps, 'answeredBy'>,
  centre: ApprovalCentre,
  agentId: string,
  message: StoredMessage,
  answer: ApprovalAnswer,
): ApprovalRow | null {
  const questionId = message.threadRootId ?? message.replyToId;
  if (questionId !== null) return centre.byPost(agentId, questionId);
  if (message.kind !== 'dm' || answer.type === 'allow') return null;
  const answered = answeredBy(agentId, message.envelopeId);
  const waiting = centre.waiting().filter(({ approval }) => approval.agentId === agentId);
  const [only] = waiting;
  if (answered || !only || waiting.length > 1) return answered;
  const { approval, post } = only;
  // Said before the question was, it cannot be its answer.
  return approval.kind === 'invitation' && post && message.sentAt > approval.createdAt ? only : null;
}

/** To a question for more than a yes or no, neither is an answer. */
const takesYesOrNo = ({ gate }: Approval): boolean => (gate?.kind ?? 'approval') === 'approval';

/** Of several who must agree, one that is not the operator; only in the thread of the question itself (T8). */
function votedOn(
  centre: ApprovalCentre,
  trust: Pick<OperatorTrust, 'isPerson'>,
  agentId: string,
  message: StoredMessage,
): ApprovalRow | null {
  const questionId = message.threadRootId ?? message.replyToId;
  const row = questionId === null ? null : centre.byPost(agentId, questionId);
  if (!row?.approval.gate?.named.includes(message.senderSlug)) return null;
  // A name means this person only where it was asked: at another server it may be somebody else's.
  if (row.post?.roomId !== message.roomId) return null;
  return trust.isPerson(agentId, message) ? row : null;
}

/** An invitation is put into the chat once, whatever becomes of this host's own record of it. */
const postId = ({ approval, call }: ApprovalRow, crypto: CryptoEngine | null, slug: string): string | null =>
  crypto && call && approval.kind === 'invitation' ? askedAs(crypto, slug, call.callId) : null;

interface Taking {
  readonly centre: ApprovalCentre;
  readonly replies: ConsentReplies;
}

/** True: it is for nobody else, whatever it changed. */
function take(
  { centre, replies }: Taking,
  row: ApprovalRow,
  message: StoredMessage,
  answer: ApprovalAnswer,
  by: { readonly by?: string },
): boolean {
  const { approval, post: asked } = row;
  const { id, digest, state, gate } = approval;
  // Heard by another agent of the channel, too, or delivered a second time, after a crash.
  if (state !== 'waiting' && asked?.answerId === message.envelopeId) return true;
  if (answer.type === 'allow' && gate?.votes.includes(message.senderSlug)) return true;
  if (state !== 'waiting') {
    // It comes too late: it changes nothing, and is not for the model either.
    if (isOutside(approval)) replies.reply(row, message, tooLateText(approval));
    return isOutside(approval) || approval.kind === 'invitation' || approval.kind === 'contact';
  }
  const whole = mayAgree(approval, { answer, surface: 'chat' });
  if (!whole.ok) {
    replies.reply(row, message, `${whole.error.message} ${whole.error.hint ?? ''}`.trim());
    return true;
  }
  centre.posted(id, asked && { ...asked, answerId: message.envelopeId });
  const decided = centre.decide(id, answer, { digest, surface: 'chat', ...by });
  if (decided.ok || !isOutside(approval)) return decided.ok;
  replies.reply(row, message, notCountedText(decided.error));
  return true;
}

/** Who is named can be asked where everybody sees it by now, and was not when it was said to the operator alone. */
const movesTo = ({ post }: ApprovalRow, { kind }: Partial<OutboxDraft>, others: readonly string[]): boolean =>
  others.length > 0 && kind === 'channel' && post !== null && dmSlug(post.roomId) !== null;

/** Once in each place. */
function putQuestion(
  deps: ChatConsentDeps,
  trust: OperatorTrust,
  places: ConsentPlaces,
  row: ApprovalRow,
): void {
  const { place, othersOf, calledIn, speakerOf } = places;
  const { ports, fleet } = deps.context();
  const agentId = speakerOf(row);
  const agent = agentId === null ? null : fleet.post(agentId);
  const operator = agentId === null ? null : trust.operatorOf(agentId);
  if (!agent?.store || !agent.account || !operator) return;
  const where = place(row, agentId ?? '', operator);
  const others = othersOf(row, operator);
  const said = movesTo(row, where, others) ? null : row.post;
  // Of several agents, one has said it already.
  if (said && (row.approval.agentId === '' || agent.store.outbox(said.messageId))) return;
  const messageId = said?.messageId ?? postId(row, trust.crypto(), agent.slug) ?? newEnvelopeId(ports.random);
  const roomId = where.channelId ?? dmRoomId(operator.slug);
  // Known as the question before it can be answered.
  deps.centre()?.posted(row.approval.id, { messageId, roomId, answerId: null });
  const draft: OutboxDraft = {
    ...{ envelopeId: messageId, kind: 'dm', spaceId: null, channelId: null, recipientSlug: null },
    ...where,
    ...{ threadRootId: null, contentType: 'text/plain', visible: true, createdAt: ports.clock.now() },
    content: questionText(
      row.approval,
      calledIn(where, row, operator),
      where.kind === 'channel' ? [] : others,
    ),
  };
  agent.store.enqueue(draft, agent.slug);
  agent.account.kickOutbox();
}

export function createChatConsent(deps: ChatConsentDeps): ChatConsent {
  const trust = createOperatorTrust(deps.context);
  const places = createConsentPlaces(deps.context, trust);
  const replies = createConsentReplies(deps.context, trust);

  const intercept = (agentId: string, message: StoredMessage): boolean => {
    const centre = deps.centre();
    const answer = centre && consentAnswer(messageText(message).text);
    if (!answer) return false;
    const isOperator = trust.isOperator(agentId, message);
    const row = isOperator
      ? askedBy(deps, centre, agentId, message, answer)
      : votedOn(centre, trust, agentId, message);
    if (!row || !takesYesOrNo(row.approval)) return false;
    return take({ centre, replies }, row, message, answer, isOperator ? {} : { by: message.senderSlug });
  };
  const follow = (approval: Approval): void => {
    const found = isOutside(approval) ? deps.centre()?.find(approval.id) : undefined;
    if (found?.ok && found.value.post) replies.follow({ ...found.value, approval });
  };

  const safely = <T>(event: string, work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      deps.context().ports.log.warn(event, { code: error.code });
      return otherwise;
    }
  };

  return {
    trust: trust.open,
    post: (row) => safely('question_not_posted', () => putQuestion(deps, trust, places, row), undefined),
    follow: (approval) => safely('outcome_not_posted', () => follow(approval), undefined),
    intercept: (agentId, message) => safely('answer_not_taken', () => intercept(agentId, message), false),
  };
}

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
import type { CryptoEngine } from '../../core/ports.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import type { HostContext } from '../context.ts';
import { derivedEnvelopeId } from '../fleet/derived-id.ts';
import type { OpenParts } from '../operator.ts';
import { type ConsentPlaces, createConsentPlaces } from './consent-place.ts';
import { type ConsentReplies, createConsentReplies } from './consent-replies.ts';
import { createOperatorTrust, type OperatorTrust } from './operator-trust.ts';

// Takes answers from the encrypted chat (T8). Each question is a root message of its own, so its thread
// concerns nothing else.

export interface ChatConsentDeps {
  readonly context: () => Pick<HostContext, 'ports' | 'layout' | 'agents' | 'fleet' | 'operator'>;
  readonly centre: () => ApprovalCentre | null;
  /** The recently decided invitation that this operator message answered. */
  readonly answeredBy: (agentId: string, messageId: string) => ApprovalRow | null;
}

/** Envelope id of the message by which an agent asks about an invitation; `key` is the question's key. */
export const askedAs = (crypto: Pick<CryptoEngine, 'sha256'>, slug: string, key: string): string =>
  derivedEnvelopeId(crypto, slug, 'asks', key);

export interface ChatConsent {
  /** Provides the identities once the vault is open. */
  trust(parts: OpenParts): void;
  post(row: ApprovalRow): void;
  /** Reports a vote or the decision in the thread of a run's question, once each. */
  follow(approval: Approval): void;
  /** Returns true if the message is an answer; nothing else may then handle it. */
  intercept(agentId: string, message: StoredMessage): boolean;
}

/**
 * The question that a message answers, by its thread. A plain "no" in direct messages also answers an
 * invitation if it is the only open question. A plain "yes" does not: a stranger chooses when the invitation
 * arrives, and the operator may mean another message of the agent (T8).
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
  // An earlier message cannot answer the question.
  return approval.kind === 'invitation' && post && message.sentAt > approval.createdAt ? only : null;
}

/** Questions that need more than yes or no accept neither. */
const takesYesOrNo = ({ gate }: Approval): boolean => (gate?.kind ?? 'approval') === 'approval';

/**
 * The question that a required approver other than the operator votes on; only in the question's own thread
 * (T8).
 */
function votedOn(
  centre: ApprovalCentre,
  trust: Pick<OperatorTrust, 'isPerson'>,
  agentId: string,
  message: StoredMessage,
): ApprovalRow | null {
  const questionId = message.threadRootId ?? message.replyToId;
  const row = questionId === null ? null : centre.byPost(agentId, questionId);
  if (!row?.approval.gate?.named.includes(message.senderSlug)) return null;
  // A name denotes this person only on the server where the question was asked.
  if (row.post?.roomId !== message.roomId) return null;
  return trust.isPerson(agentId, message) ? row : null;
}

/** A derived id, so that an invitation is sent to the chat once even if the host loses its record of it. */
const postId = ({ approval, call }: ApprovalRow, crypto: CryptoEngine | null, slug: string): string | null =>
  crypto && call && approval.kind === 'invitation' ? askedAs(crypto, slug, call.callId) : null;

interface Taking {
  readonly centre: ApprovalCentre;
  readonly replies: ConsentReplies;
}

/** Returns true if the message is handled, even if it changed nothing. */
function take(
  { centre, replies }: Taking,
  row: ApprovalRow,
  message: StoredMessage,
  answer: ApprovalAnswer,
  by: { readonly by?: string },
): boolean {
  const { approval, post: asked } = row;
  const { id, digest, state, gate } = approval;
  // Another agent of the channel already received it, or it was delivered again after a crash.
  if (state !== 'waiting' && asked?.answerId === message.envelopeId) return true;
  if (answer.type === 'allow' && gate?.votes.includes(message.senderSlug)) return true;
  if (state !== 'waiting') {
    // A late answer changes nothing and does not reach the model.
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

/** The question was sent to the operator alone, and a channel that the approvers see is now available. */
const movesTo = ({ post }: ApprovalRow, { kind }: Partial<OutboxDraft>, others: readonly string[]): boolean =>
  others.length > 0 && kind === 'channel' && post !== null && dmSlug(post.roomId) !== null;

/** Once per room. */
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
  // With several agents, another one already sent it.
  if (said && (row.approval.agentId === '' || agent.store.outbox(said.messageId))) return;
  const messageId = said?.messageId ?? postId(row, trust.crypto(), agent.slug) ?? newEnvelopeId(ports.random);
  const roomId = where.channelId ?? dmRoomId(operator.slug);
  // Recorded before sending, so that no answer can arrive first.
  deps.centre()?.posted(row.approval.id, { messageId, roomId, answerId: null });
  const draft: OutboxDraft = {
    envelopeId: messageId,
    kind: 'dm',
    spaceId: null,
    channelId: null,
    recipientSlug: null,
    ...where,
    threadRootId: null,
    contentType: 'text/plain',
    visible: true,
    createdAt: ports.clock.now(),
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

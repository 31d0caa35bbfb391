import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { ApprovalRow, ConsentStore } from '../../core/approvals/approval-ports.ts';
import { notCountedText, tooLateText } from '../../core/approvals/chat-outcome-text.ts';
import { mayAgree } from '../../core/approvals/consent-question.ts';
import { isOutside } from '../../core/approvals/outside-question.ts';
import { consentAnswer } from '../../core/approvals/read-chat-answer.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Log } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { ConsentReplies } from './consent-replies.ts';
import type { OperatorTrust } from './operator-trust.ts';
import type { PostQuestion } from './question-posts.ts';

// Takes answers from the encrypted chat (T8). Each question is a root message of its own, so its thread
// concerns nothing else.

export interface ChatConsentDeps {
  /** `null` while the vault is closed, or before the first question. */
  opened(): { readonly centre: ApprovalCentre; readonly store: Pick<ConsentStore, 'list'> } | null;
  readonly trust: Pick<OperatorTrust, 'isOperator' | 'isPerson'>;
  readonly postQuestion: PostQuestion;
  readonly replies: ConsentReplies;
  readonly log: Log;
}

type Opened = NonNullable<ReturnType<ChatConsentDeps['opened']>>;

/** Number of decided questions searched for the one that a message answered. */
const latelyDecided = 50;

export interface ChatConsent {
  post(row: ApprovalRow): void;
  /** Reports a vote or the decision in the thread of a run's question, once each. */
  follow(approval: Approval): void;
  /** Returns true if the message is an answer; nothing else may then handle it. */
  intercept(agentId: string, message: StoredMessage): boolean;
}

/** The recently decided invitation that this operator message answered. */
function findAnswered({ store }: Opened, agent: string, messageId: string): ApprovalRow | null {
  const lately = store.list({ state: 'decided', agent, limit: latelyDecided });
  return (
    lately.find(({ approval, post }) => approval.kind === 'invitation' && post?.answerId === messageId) ??
    null
  );
}

/**
 * The question that a message answers, by its thread. A plain "no" in direct messages also answers an
 * invitation if it is the only open question. A plain "yes" does not: a stranger chooses when the invitation
 * arrives, and the operator may mean another message of the agent (T8).
 */
function askedBy(
  opened: Opened,
  agentId: string,
  message: StoredMessage,
  answer: ApprovalAnswer,
): ApprovalRow | null {
  const { centre } = opened;
  const questionId = message.threadRootId ?? message.replyToId;
  if (questionId !== null) return centre.byPost(agentId, questionId);
  if (message.kind !== 'dm' || answer.type === 'allow') return null;
  const answered = findAnswered(opened, agentId, message.envelopeId);
  const waiting = centre.waiting().filter(({ approval }) => approval.agentId === agentId);
  const [only] = waiting;
  if (answered || !only || waiting.length > 1) return answered;
  const { approval, post } = only;
  // An earlier message cannot answer the question.
  return approval.kind === 'invitation' && post && message.sentAt > approval.createdAt ? only : null;
}

/** Questions that need more than yes or no accept neither. */
const takesYesOrNo = ({ gate, form }: Approval): boolean =>
  form === undefined && (gate?.kind ?? 'approval') === 'approval';

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
  if (row.post === null || mainRoom(row.post.roomId) !== mainRoom(message.roomId)) return null;
  return trust.isPerson(agentId, message) ? row : null;
}

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

export function createChatConsent(deps: ChatConsentDeps): ChatConsent {
  const { trust, replies } = deps;

  const intercept = (agentId: string, message: StoredMessage): boolean => {
    const opened = deps.opened();
    const answer = opened && consentAnswer(messageText(message).text);
    if (!answer) return false;
    const { centre } = opened;
    const isOperator = trust.isOperator(agentId, message);
    const row = isOperator
      ? askedBy(opened, agentId, message, answer)
      : votedOn(centre, trust, agentId, message);
    if (!row || !takesYesOrNo(row.approval)) return false;
    return take({ centre, replies }, row, message, answer, isOperator ? {} : { by: message.senderSlug });
  };
  const follow = (approval: Approval): void => {
    const found = isOutside(approval) ? deps.opened()?.centre.find(approval.id) : undefined;
    if (found?.ok && found.value.post) replies.follow({ ...found.value, approval });
  };

  const safely = <T>(event: string, work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      deps.log.warn(event, { code: error.code });
      return otherwise;
    }
  };

  return {
    post: (row) => safely('question_not_posted', () => deps.postQuestion(row), undefined),
    follow: (approval) => safely('outcome_not_posted', () => follow(approval), undefined),
    intercept: (agentId, message) => safely('answer_not_taken', () => intercept(agentId, message), false),
  };
}

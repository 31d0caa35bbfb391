import { dmRoomId, dmSlug } from '../../contract/room-id.ts';
import type { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import { questionText } from '../../core/approvals/consent-question.ts';
import type { Clock, CryptoEngine, Random } from '../../core/ports.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import type { OutboxDraft } from '../../core/puffo/stored-message.ts';
import { derivedEnvelopeId } from '../fleet/derived-id.ts';
import type { OperatorTrust } from './operator-trust.ts';
import type { ConsentPlaces, QuestionSender } from './question-room.ts';

// Sends questions to the chat, each as a root message of its own.

export interface QuestionPostsDeps {
  readonly trust: Pick<OperatorTrust, 'operatorOf' | 'crypto'>;
  readonly places: ConsentPlaces;
  sender(agentId: string): QuestionSender | null;
  /** `null` while the vault is closed. */
  centre(): Pick<ApprovalCentre, 'posted'> | null;
  readonly clock: Clock;
  readonly random: Random;
}

/** Envelope id of the message by which an agent asks about an invitation; `key` is the question's key. */
export const askedAs = (crypto: Pick<CryptoEngine, 'sha256'>, slug: string, key: string): string =>
  derivedEnvelopeId(crypto, slug, 'asks', key);

/** A derived id, so that an invitation is sent to the chat once even if the host loses its record of it. */
const postId = ({ approval, call }: ApprovalRow, crypto: CryptoEngine | null, slug: string): string | null =>
  crypto && call && approval.kind === 'invitation' ? askedAs(crypto, slug, call.callId) : null;

/** The question was sent to the operator alone, and a channel that the approvers see is now available. */
const movesTo = ({ post }: ApprovalRow, { kind }: Partial<OutboxDraft>, others: readonly string[]): boolean =>
  others.length > 0 && kind === 'channel' && post !== null && dmSlug(post.roomId) !== null;

/** Once per room. */
function postQuestion(deps: QuestionPostsDeps, row: ApprovalRow): void {
  const { trust, sender, centre, clock, random } = deps;
  const { place, othersOf, calledIn, speakerOf } = deps.places;
  const agentId = speakerOf(row);
  const agent = agentId === null ? null : sender(agentId);
  const operator = agentId === null ? null : trust.operatorOf(agentId);
  if (!agent?.store || !agent.account || !operator) return;
  const where = place(row, agentId ?? '', operator);
  const others = othersOf(row, operator);
  const said = movesTo(row, where, others) ? null : row.post;
  // With several agents, another one already sent it.
  if (said && (row.approval.agentId === '' || agent.store.outbox(said.messageId))) return;
  const messageId = said?.messageId ?? postId(row, trust.crypto(), agent.slug) ?? newEnvelopeId(random);
  const roomId = where.channelId ?? dmRoomId(operator.slug, where.conversationId);
  // Recorded before sending, so that no answer can arrive first.
  centre()?.posted(row.approval.id, { messageId, roomId, answerId: null });
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
    createdAt: clock.now(),
    content: questionText(
      row.approval,
      calledIn(where, row, operator),
      where.kind === 'channel' ? [] : others,
    ),
  };
  agent.store.enqueue(draft, agent.slug);
  agent.account.kickOutbox();
}

/** Sends a question to the chat once per room; does nothing if no agent can send it now. */
export type PostQuestion = (row: ApprovalRow) => void;

export const createQuestionPosts =
  (deps: QuestionPostsDeps): PostQuestion =>
  (row) =>
    postQuestion(deps, row);

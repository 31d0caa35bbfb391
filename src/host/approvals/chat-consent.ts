import { messageText } from '../../core/agents/message-text.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import type { ApprovalCentre } from '../../core/approvals/centre.ts';
import { fitsChat, questionText } from '../../core/approvals/consent-question.ts';
import { consentAnswer } from '../../core/approvals/consent-words.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { OutboxDraft, StoredMessage } from '../../core/ports.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import { type AgentOperator, createOperatorTrust } from './operator-trust.ts';

// The encrypted chat as a surface for answers (T8). Each question is a root message of its own, so that its thread is
// about nothing else.

export interface ChatConsentDeps {
  readonly context: () => Pick<HostContext, 'ports' | 'layout' | 'agents' | 'fleet' | 'operator'>;
  readonly centre: () => ApprovalCentre | null;
}

export interface ChatConsent {
  /** The vault is open: from now on identities can be told apart. */
  trust(parts: OpenParts): void;
  /** Puts a question into the chat, once. */
  post(row: ApprovalRow): void;
  /** True: the message was an answer, and is nothing else. */
  intercept(agentId: string, message: StoredMessage): boolean;
}

export function createChatConsent(deps: ChatConsentDeps): ChatConsent {
  const trust = createOperatorTrust(deps.context);
  /** A question shows what an agent is about to do: only where nobody but the operator and their agents reads. */
  const amongOurselves = (
    members: readonly { readonly slug: string }[],
    operator: AgentOperator,
  ): boolean => {
    const ours = new Set(
      deps
        .context()
        .agents.list()
        .map(({ lastGood }) => lastGood?.puffo_core.slug ?? ''),
    );
    return members.length > 0 && members.every(({ slug }) => slug === operator.slug || ours.has(slug));
  };
  const place = ({ approval, call }: ApprovalRow, operator: AgentOperator): Partial<OutboxDraft> => {
    const session = deps.context().operator.session();
    const channels = session?.self.account.rooms().channels ?? [];
    const channel = call && channels.find(({ id }) => id === approval.roomId && !id.startsWith('dm:'));
    return channel && amongOurselves(channel.members, operator)
      ? { kind: 'channel', spaceId: channel.spaceId, channelId: channel.id, recipientSlug: null }
      : { kind: 'dm', spaceId: null, channelId: null, recipientSlug: operator.slug };
  };

  const post = (row: ApprovalRow): void => {
    const { ports, fleet } = deps.context();
    const { agentId } = row.approval;
    const agent = fleet.post(agentId);
    const operator = trust.operatorOf(agentId);
    if (!agent?.store || !agent.account || !operator) return;
    if (row.post && agent.store.outbox(row.post.messageId)) return;
    const where = place(row, operator);
    const messageId = row.post?.messageId ?? newEnvelopeId(ports.random);
    const roomId = where.channelId ?? `dm:${operator.slug}`;
    // Known as the question before it can be answered.
    deps.centre()?.posted(row.approval.id, { messageId, roomId, answerId: null });
    const draft: OutboxDraft = {
      ...{ envelopeId: messageId, kind: 'dm', spaceId: null, channelId: null, recipientSlug: null },
      ...where,
      ...{ threadRootId: null, contentType: 'text/plain', visible: true, createdAt: ports.clock.now() },
      content: questionText(row.approval, operator.slug),
    };
    agent.store.enqueue(draft, agent.slug);
    agent.account.kickOutbox();
  };

  const intercept = (agentId: string, message: StoredMessage): boolean => {
    const questionId = message.threadRootId ?? message.replyToId;
    const centre = deps.centre();
    if (questionId === null || !centre) return false;
    const row = centre.byPost(agentId, questionId);
    const answer = row && consentAnswer(messageText(message).text);
    if (!row || !answer || !trust.isOperator(agentId, message)) return false;
    const { approval, post: asked } = row;
    if (answer.type === 'allow' && !fitsChat(approval)) return false;
    // Delivered a second time, after a crash between the answer and the message's own row.
    if (approval.state !== 'waiting') return asked?.answerId === message.envelopeId;
    centre.posted(approval.id, asked && { ...asked, answerId: message.envelopeId });
    return centre.decide(approval.id, answer, { digest: approval.digest, surface: 'chat' }).ok;
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
    post: (row) => safely('question_not_posted', () => post(row), undefined),
    intercept: (agentId, message) => safely('answer_not_taken', () => intercept(agentId, message), false),
  };
}

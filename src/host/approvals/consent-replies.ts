import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import { outcomeText } from '../../core/approvals/chat-outcome-text.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { derivedEnvelopeId } from '../fleet/derived-id.ts';
import type { OperatorTrust } from './operator-trust.ts';
import type { QuestionSender } from './question-room.ts';

// Replies in the thread of a run's question. Each id is derived from its subject, so a reply repeated after a
// crash or by another agent is the same message (I2).

export interface ConsentRepliesDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  sender(agentId: string): QuestionSender | null;
  readonly clock: Clock;
  readonly trust: Pick<OperatorTrust, 'crypto'>;
}

export interface ConsentReplies {
  follow(row: ApprovalRow): void;
  reply(row: ApprovalRow, answer: Pick<StoredMessage, 'envelopeId'>, text: string): void;
}

export function createConsentReplies({ agents, sender, clock, trust }: ConsentRepliesDeps): ConsentReplies {
  const speaker = (messageId: string) => {
    for (const { id } of agents.list()) {
      const post = sender(id);
      const asked = post?.store?.outbox(messageId);
      if (post?.store && asked) return { post, store: post.store, asked };
    }
    return null;
  };
  const say = ({ post: posted }: ApprovalRow, about: readonly string[], text: string): void => {
    const crypto = trust.crypto();
    const found = posted && speaker(posted.messageId);
    if (!crypto || !found) return;
    const { post, store, asked } = found;
    const envelopeId = derivedEnvelopeId(crypto, post.slug, 'below a question', ...about);
    if (store.outbox(envelopeId)) return;
    const { kind, spaceId, channelId, recipientSlug, conversationId } = asked;
    store.enqueue(
      {
        envelopeId,
        kind,
        spaceId,
        channelId,
        recipientSlug,
        conversationId: conversationId ?? null,
        threadRootId: asked.envelopeId,
        contentType: 'text/plain',
        content: text,
        visible: true,
        createdAt: clock.now(),
      },
      post.slug,
    );
    post.account?.kickOutbox();
  };
  return {
    follow(row) {
      const text = outcomeText(row.approval);
      const { id, state, gate } = row.approval;
      if (text !== null) say(row, [id, state, `${gate?.votes.length ?? 0}`], text);
    },
    reply: (row, { envelopeId }, text) => say(row, [row.approval.id, 'answer', envelopeId], text),
  };
}

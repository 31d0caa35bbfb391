import type { AgentMark, ChatMessage } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { AccountStore, OutboxRow, StoredMessage } from '../../core/ports.ts';
import type { Person } from './people.ts';

export interface MessageContext {
  readonly selfSlug: string;
  readonly store: AccountStore;
  person(slug: string): Person;
  marks(message: StoredMessage): readonly AgentMark[];
  steps(message: StoredMessage): readonly ToolStep[];
  /** The question that the message asks, by its id. */
  asks(message: StoredMessage): string | null;
}

const deliveryOf = (row: OutboxRow | null): ChatMessage['delivery'] => {
  if (!row || row.state === 'sent') return 'sent';
  return row.state === 'failed' ? 'failed' : 'pending';
};

function attachmentsOf(content: unknown): ChatMessage['attachments'] {
  const listed: unknown =
    typeof content === 'object' && content && 'attachments' in content ? content.attachments : [];
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, 50).map((meta: unknown) => {
    const fields = typeof meta === 'object' && meta ? (meta as Record<string, unknown>) : {};
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    const size = fields.size ?? fields.size_bytes;
    return {
      filename: text(fields.filename).split(/[/\\]/).at(-1) || 'file',
      mimeType: text(fields.mime_type) || text(fields.content_type) || 'application/octet-stream',
      size: typeof size === 'number' && Number.isFinite(size) ? size : 0,
      sent: null,
    };
  });
}

/** A stored message as clients see it. */
export function viewMessage(message: StoredMessage, context: MessageContext): ChatMessage {
  const own = message.senderSlug === context.selfSlug;
  const sender = context.person(message.senderSlug);
  const outbox = own ? context.store.outbox(message.envelopeId) : null;
  return {
    id: message.envelopeId,
    roomId: message.roomId,
    senderSlug: message.senderSlug,
    senderName: sender.displayName,
    senderAgent: sender.agent,
    own,
    text: messageText(message).text,
    sentAt: message.sentAt,
    threadRootId: message.threadRootId,
    visible: message.visible,
    encrypted: message.encrypted,
    delivery: own ? deliveryOf(outbox) : 'received',
    deliveryError: outbox?.error ?? null,
    attachments: message.contentType === 'text/plain' ? [] : attachmentsOf(message.content),
    marks: [...context.marks(message)],
    steps: own ? [] : [...context.steps(message)],
    asks: own || message.threadRootId !== null ? null : context.asks(message),
  };
}

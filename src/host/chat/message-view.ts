import type { AgentMark, ChatMessage } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { waitingFiles } from '../../core/puffo/message-files.ts';
import type { OutboxRow, StoredMessage } from '../../core/puffo/stored-message.ts';
import type { ChatPerson } from './people.ts';

export interface MessageContext {
  readonly selfSlug: string;
  readonly store: AccountStore;
  person(slug: string): ChatPerson;
  marks(message: StoredMessage): readonly AgentMark[];
  steps(message: StoredMessage): readonly ToolStep[];
  asks(message: StoredMessage): string | null;
  /** Sealed bytes uploaded so far, or `null` if the upload has not started. */
  uploaded(envelopeId: string, index: number): number | null;
}

const deliveryOf = (row: OutboxRow | null): ChatMessage['delivery'] => {
  if (!row || row.state === 'sent') return 'sent';
  return row.state === 'failed' ? 'failed' : 'pending';
};

/** Upload progress per file of an own message that is not sent yet. */
function sentOf(
  row: OutboxRow | null,
  context: MessageContext,
): (index: number, size: number) => number | null {
  if (!row || (row.state !== 'queued' && row.state !== 'sealed')) return () => null;
  const there = new Set(waitingFiles(row).flatMap(({ index, blobId }) => (blobId === null ? [] : [index])));
  return (index, size) => {
    if (there.has(index)) return size;
    const sent = context.uploaded(row.envelopeId, index);
    return sent === null ? null : Math.min(sent, size);
  };
}

function attachmentsOf(content: unknown, sent: ReturnType<typeof sentOf>): ChatMessage['attachments'] {
  const listed: unknown =
    typeof content === 'object' && content && 'attachments' in content ? content.attachments : [];
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, 50).map((meta: unknown, index) => {
    const fields = typeof meta === 'object' && meta ? (meta as Record<string, unknown>) : {};
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    const named = fields.size ?? fields.size_bytes;
    const size = typeof named === 'number' && Number.isFinite(named) ? named : 0;
    return {
      filename: text(fields.filename).split(/[/\\]/).at(-1) || 'file',
      mimeType: text(fields.mime_type) || text(fields.content_type) || 'application/octet-stream',
      size,
      sent: sent(index, size),
    };
  });
}

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
    attachments:
      message.contentType === 'text/plain' ? [] : attachmentsOf(message.content, sentOf(outbox, context)),
    marks: [...context.marks(message)],
    steps: own ? [] : [...context.steps(message)],
    asks: own || message.threadRootId !== null ? null : context.asks(message),
  };
}

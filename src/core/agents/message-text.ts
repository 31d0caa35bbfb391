/**
 * Extracts the text of a message of any content type: a string, the text beside attachments, or unknown
 * content as JSON.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';

const attachmentsType = 'puffo/message+attachments/v1';

interface WithAttachments {
  readonly text: string;
  /** Last path components only. */
  readonly attachments: readonly string[];
}

/** Spec §3.3, §3.4: unknown types are shown as JSON. */
export function messageText(message: Pick<StoredMessage, 'contentType' | 'content'>): WithAttachments {
  const { content, contentType } = message;
  if (contentType === attachmentsType && isRecord(content)) {
    const listed = Array.isArray(content.attachments) ? content.attachments : [];
    return { text: asText(content.text ?? ''), attachments: listed.map(attachmentName) };
  }
  return { text: asText(content), attachments: [] };
}

/** One-line text for lists: the message, or the names of its attachments. */
export function digestText(message: Pick<StoredMessage, 'contentType' | 'content'>): string {
  const { text, attachments } = messageText(message);
  return text === '' ? attachments.join(', ') : text;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

function attachmentName(meta: unknown): string {
  if (!isRecord(meta)) return 'file';
  const name = typeof meta.filename === 'string' ? meta.filename.split(/[/\\]/).at(-1) : '';
  if (name) return name;
  return typeof meta.blob_id === 'string' ? meta.blob_id : 'file';
}

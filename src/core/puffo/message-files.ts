/**
 * Files in the content of a message (spec §3.4): written with the member names of both generations of clients, read from
 * either. A file that still waits on this computer carries the name it has here; nothing is sealed with that in it.
 */
import { z } from 'zod';
import { maxFilesPerMessage } from '../../contract/file-methods.ts';
import type { OutboxDraft, StoredMessage } from '../ports.ts';
import { type AttachmentMeta, attachmentMetaSchema } from './attachment.ts';

export const attachmentsType = 'puffo/message+attachments/v1';

/** A file that lies sealed on this computer, ready to go to a server. */
export interface LocalFile {
  /** Its name among the files on their way out. */
  readonly localFile: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Bytes of the plaintext. */
  readonly size: number;
  /** base64url, as are nonce and hash; the hash is that of the plaintext. */
  readonly key: string;
  readonly nonce: string;
  readonly sha256: string;
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

type Content = Pick<OutboxDraft, 'contentType' | 'content'>;

/** What is stored and later sealed, before any file has an id at the server. */
export const contentWithFiles = (text: string, files: readonly LocalFile[]): Content => ({
  contentType: attachmentsType,
  content: { text, attachments: files.slice(0, maxFilesPerMessage).map(metaOf) },
});

const metaOf = (file: LocalFile) => ({
  filename: file.filename,
  mime_type: file.mimeType,
  size: file.size,
  key: file.key,
  nonce: file.nonce,
  type: 'file_reference',
  version: 1,
  content_type: file.mimeType,
  size_bytes: file.size,
  content_key: file.key,
  aead_nonce: file.nonce,
  sha256: file.sha256,
  local_file: file.localFile,
});

const localSchema = z.looseObject({
  local_file: z.string().regex(/^f_[0-9a-f-]{36}$/),
  blob_id: z.string().min(1).optional(),
});

function listOf({ contentType, content }: Content): readonly unknown[] {
  const listed = contentType === attachmentsType ? asObject(content).attachments : null;
  return Array.isArray(listed) ? listed : [];
}

export interface WaitingFile {
  /** Its place among the attachments of the message. */
  readonly index: number;
  readonly localFile: string;
  /** Null: not at the server yet. */
  readonly blobId: string | null;
}

/** Of a message of our own that is on its way; of anybody else's, such names mean nothing. */
export const waitingFiles = (own: Content): readonly WaitingFile[] =>
  listOf(own).flatMap((raw, index) => {
    const parsed = localSchema.safeParse(raw);
    if (!parsed.success) return [];
    return [{ index, localFile: parsed.data.local_file, blobId: parsed.data.blob_id ?? null }];
  });

/** The same content; the file at this place is at the server now. */
export function withBlobId({ contentType, content }: Content, index: number, blobId: string): unknown {
  const attachments = listOf({ contentType, content }).map((meta, at) =>
    at === index ? { blob_id: blobId, ...asObject(meta) } : meta,
  );
  return { ...asObject(content), attachments };
}

/** Without what is of this computer only. */
export function contentToSeal({ contentType, content }: Content): unknown {
  if (contentType !== attachmentsType) return content;
  const attachments = listOf({ contentType, content }).map((meta) => {
    const { local_file: _, ...rest } = asObject(meta);
    return rest;
  });
  return { ...asObject(content), attachments };
}

/** What a message says about each of its files, in their order; null: nothing that could be used. */
export const attachmentsOf = (
  message: Pick<StoredMessage, 'contentType' | 'content'>,
): readonly (AttachmentMeta | null)[] =>
  listOf(message).map((raw) => {
    const parsed = attachmentMetaSchema.safeParse(raw);
    return parsed.success ? parsed.data : null;
  });

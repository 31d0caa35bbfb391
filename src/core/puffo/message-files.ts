/**
 * Files in the content of a message (spec §3.4): written with the member names of both client generations,
 * and read from either. A file that is not uploaded yet carries its local name, which is never sealed.
 */
import { z } from 'zod';
import { maxFilesPerMessage } from '../../contract/file-methods.ts';
import { type AttachmentMeta, attachmentMetaSchema } from './attachment.ts';
import type { OutboxDraft, StoredMessage } from './stored-message.ts';

export const attachmentsType = 'puffo/message+attachments/v1';

/** A sealed file on this computer, ready for upload. */
export interface LocalFile {
  /** Its name among the outgoing files. */
  readonly localFile: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Bytes of the plaintext. */
  readonly size: number;
  /** base64url, like nonce and hash; the hash covers the plaintext. */
  readonly key: string;
  readonly nonce: string;
  readonly sha256: string;
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

type Content = Pick<OutboxDraft, 'contentType' | 'content'>;

/** Content to store and later seal, before any file has a blob id. */
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
  /** Index among the attachments of the message. */
  readonly index: number;
  readonly localFile: string;
  /** `null` until the file is uploaded. */
  readonly blobId: string | null;
}

/** Files of an own outgoing message; in other messages, local names are ignored. */
export const waitingFiles = (own: Content): readonly WaitingFile[] =>
  listOf(own).flatMap((raw, index) => {
    const parsed = localSchema.safeParse(raw);
    if (!parsed.success) return [];
    return [{ index, localFile: parsed.data.local_file, blobId: parsed.data.blob_id ?? null }];
  });

/** Copy of the content with the blob id of the uploaded file at this index. */
export function withBlobId({ contentType, content }: Content, index: number, blobId: string): unknown {
  const attachments = listOf({ contentType, content }).map((meta, at) =>
    at === index ? { blob_id: blobId, ...asObject(meta) } : meta,
  );
  return { ...asObject(content), attachments };
}

/** Removes members that are valid only on this computer. */
export function contentToSeal({ contentType, content }: Content): unknown {
  if (contentType !== attachmentsType) return content;
  const attachments = listOf({ contentType, content }).map((meta) => {
    const { local_file: _, ...rest } = asObject(meta);
    return rest;
  });
  return { ...asObject(content), attachments };
}

/** Metadata of each file of a message, in order; `null` if it is unusable. */
export const attachmentsOf = (
  message: Pick<StoredMessage, 'contentType' | 'content'>,
): readonly (AttachmentMeta | null)[] =>
  listOf(message).map((raw) => {
    const parsed = attachmentMetaSchema.safeParse(raw);
    return parsed.success ? parsed.data : null;
  });

import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import type { Clock, CryptoEngine, Timer } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { type AttachmentMeta, openFile } from '../../core/puffo/attachment.ts';
import { safeFileNames } from '../../core/puffo/file-names.ts';
import { attachmentsOf, waitingFiles } from '../../core/puffo/message-files.ts';
import { plainBytes } from '../../core/puffo/mime-types.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { BlobCache } from '../../services/files/blob-cache.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import type { Account } from '../../services/puffo/account-types.ts';

export interface ReadAttachmentFile {
  /** A name that is valid on every system. */
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface AttachmentReaderDeps {
  readonly account: Pick<Account, 'downloadBlob'>;
  readonly store: AccountStore;
  readonly outgoing: OutgoingStore;
  readonly cache: BlobCache;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

export type ReadAttachment = (messageId: string, index: number) => Promise<Result<ReadAttachmentFile>>;

/** Number of decrypted files in the cache, and its lifetime in ms. */
const mostOpen = 2;
const openMs = 30_000;
/** Downloads at a time, whatever a page requests: each file is in memory twice meanwhile. */
const mostAtOnce = 6;

const noFile = fail('not_found', 'chat.unknownFile', {}, { where: 'index' });
const unfit = fail('untrusted', 'chat.fileKeyMissing');

export function createAttachmentReader(deps: AttachmentReaderDeps): ReadAttachment {
  const open = new Map<
    string,
    { readonly file: Promise<Result<ReadAttachmentFile>>; readonly timer: Timer }
  >();
  const forget = (key: string): void => {
    open.get(key)?.timer.cancel();
    open.delete(key);
  };
  const inTurn = createSemaphore(mostAtOnce);
  return (messageId, index) => {
    const key = `${messageId} ${index}`;
    const known = open.get(key);
    forget(key);
    const file = known?.file ?? inTurn(() => readFile(deps, messageId, index));
    open.set(key, { file, timer: deps.clock.after(openMs, () => forget(key), { unref: true }) });
    for (const oldest of [...open.keys()].slice(0, -mostOpen)) forget(oldest);
    // A failure is not cached.
    void file.then((result) => {
      if (!result.ok && open.get(key)?.file === file) forget(key);
    });
    return file;
  };
}

async function readFile(
  deps: AttachmentReaderDeps,
  messageId: string,
  index: number,
): Promise<Result<ReadAttachmentFile>> {
  const message = deps.store.message(messageId);
  const metas = message ? attachmentsOf(message) : [];
  const meta = metas[index];
  if (!message || index >= metas.length) return err(noFile);
  if (!meta) return err(unfit);
  const opened = (await ownFile(deps, message, meta, index)) ?? (await sentFile(deps, meta));
  if (!opened.ok) return opened;
  const names = safeFileNames(metas.map((each) => each?.filename ?? ''));
  return ok({
    filename: names[index] ?? 'file',
    mimeType: meta.mime_type || meta.content_type || plainBytes,
    bytes: opened.value,
  });
}

/** `null` if the file is not in the outbox. */
async function ownFile(
  { store, outgoing, crypto }: AttachmentReaderDeps,
  { envelopeId }: StoredMessage,
  meta: AttachmentMeta,
  index: number,
): Promise<Result<Uint8Array> | null> {
  const row = store.outbox(envelopeId);
  const waiting = row && waitingFiles(row).find((one) => one.index === index);
  const blob = waiting ? await outgoing.read(waiting.localFile) : null;
  return blob?.ok ? openFile(crypto, meta, blob.value) : null;
}

const gone = (error: AppError): AppError =>
  error.code === 'not_found'
    ? fail('not_found', 'chat.fileGoneFromServer', {}, { help: 'chat.askSenderAgain' })
    : error;

async function sentFile(
  { account, cache, crypto }: AttachmentReaderDeps,
  meta: AttachmentMeta,
): Promise<Result<Uint8Array>> {
  if (meta.blob_id === '') return err(noFile);
  const kept = await cache.get(meta.blob_id);
  if (kept) {
    const opened = openFile(crypto, meta, kept);
    if (opened.ok) return opened;
    await cache.drop(meta.blob_id);
  }
  const blob = await account.downloadBlob(meta.blob_id);
  if (!blob.ok) return err(gone(blob.error));
  const opened = openFile(crypto, meta, blob.value);
  if (opened.ok) await cache.put(meta.blob_id, blob.value);
  return opened;
}

/**
 * Uploads the files of a message before the message is encrypted: one at a time, so that only one is in
 * memory, each recorded once uploaded, so that none is uploaded twice. Other rooms do not wait for it.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { waitingFiles, withBlobId } from '../../core/puffo/message-files.ts';
import type { OutboxRow } from '../../core/puffo/stored-message.ts';
import type { OutgoingFiles } from '../../core/tools/chat-files.ts';
import type { AccountEvents } from './account-types.ts';
import { uploadBlob } from './blobs.ts';
import type { DeliveryFault } from './delivery-fault.ts';
import { isTransient, plainError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

export interface UploadDeps {
  readonly store: AccountStore;
  /** If absent, the account sends no files. */
  readonly files: OutgoingFiles | undefined;
  readonly events: Pick<AccountEvents, 'onUpload'>;
  readonly client: SignedClient;
}

export interface Uploads {
  /** True if some of its files are not on the server yet. */
  needed(row: OutboxRow): boolean;
  /** Resolves when all are uploaded. Throws `StoreError`. */
  run(row: OutboxRow): Promise<Result<void, DeliveryFault>>;
  /** Removes the local files of a sent message. */
  done(row: OutboxRow): void;
}

const lost = fail('not_found', 'server.fileNoLongerStored', {}, { help: 'server.sendFileAgain' });

export function createUploads({ store, files, events, client }: UploadDeps): Uploads {
  const missing = (row: OutboxRow) =>
    row.state === 'queued' ? waitingFiles(row).filter(({ blobId }) => blobId === null) : [];

  const one = async (
    row: OutboxRow,
    index: number,
    localFile: string,
  ): Promise<Result<void, DeliveryFault>> => {
    const sealed = await files?.read(localFile);
    if (!sealed?.ok) {
      const error = sealed && sealed.error.code !== 'not_found' ? sealed.error : lost;
      return err({ error, transient: error !== lost, retryAfterMs: null, unreachable: false });
    }
    const onSent = (bytes: number): void => events.onUpload?.(row.envelopeId, index, bytes);
    const sent = await uploadBlob(client, sealed.value, onSent);
    if (!sent.ok) {
      const { error } = sent;
      return err({
        error: plainError(error),
        transient: isTransient(error),
        retryAfterMs: error.retryAfterMs,
        unreachable: error.status === null,
      });
    }
    const now = store.outbox(row.envelopeId);
    if (now) store.outboxFiles.setContent(row.envelopeId, withBlobId(now, index, sent.value.blobId));
    return ok(undefined);
  };

  return {
    needed: (row) => missing(row).length > 0,
    async run({ envelopeId }) {
      // Reads the row again: an earlier run may have uploaded some files meanwhile.
      const row = store.outbox(envelopeId);
      if (!row) return ok(undefined);
      for (const { index, localFile } of missing(row)) {
        const sent = await one(row, index, localFile);
        if (!sent.ok) return sent;
      }
      return ok(undefined);
    },
    done: (row) => files?.remove(waitingFiles(row).map(({ localFile }) => localFile)),
  };
}

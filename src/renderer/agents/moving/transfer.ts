/** Transfers archives between the page and the host in chunks. */

import { type AppError, textError } from '../../../contract/errors.ts';
import { filePieceBytes } from '../../../contract/file-methods.ts';
import type { HostClient } from '../../../contract/host-api.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { t } from '../../../language/texts.ts';
import { base64Bytes } from '../../files/base64-bytes.ts';
import { base64Of } from '../../files/upload.ts';

interface Way {
  readonly signal: AbortSignal;
  progress(moved: number): void;
}

const stopped = (): AppError => textError('cancelled', t('moving.stopped'));

/** Downloads the packed archive. The host drops its copy on success, failure and abort. */
export async function takePacked(
  link: HostClient,
  transferId: string,
  { signal, progress }: Way,
): Promise<Result<Blob>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const end = <T>(result: Result<T>): Result<T> => {
    void link.call('bundles.forget', { transferId });
    return result;
  };
  for (let offset = 0; ; ) {
    const piece = await link.call('bundles.piece', { transferId, offset });
    if (!piece.ok) return end(piece);
    if (signal.aborted) return end(err(stopped()));
    const bytes = base64Bytes(piece.value.base64);
    pieces.push(bytes);
    offset += bytes.length;
    progress(offset);
    if (piece.value.done) return end(ok(new Blob(pieces)));
    if (bytes.length === 0) return end(err(textError('protocol', t('moving.broken'))));
  }
}

/** Returns the transfer id; the host keeps the file for one hour. */
export async function bringFile(
  link: HostClient,
  file: Blob,
  { signal, progress }: Way,
): Promise<Result<string>> {
  const begun = await link.call('bundles.bring', { size: file.size });
  if (!begun.ok) return begun;
  const { transferId } = begun.value;
  const giveUp = (error: AppError): Result<string> => {
    void link.call('bundles.forget', { transferId });
    return err(error);
  };
  for (let offset = 0; offset < file.size; offset += filePieceBytes) {
    if (signal.aborted) return giveUp(stopped());
    const base64 = await base64Of(file.slice(offset, offset + filePieceBytes));
    if (base64 === null) return giveUp(textError('io_error', t('moving.unreadable')));
    const sent = await link.call('bundles.bringPiece', { transferId, offset, base64 });
    if (!sent.ok) return giveUp(sent.error);
    progress(sent.value.received);
  }
  return ok(transferId);
}

/** Uploads files to the host in chunks, one file after the other; an abort removes them from the host. */

import { type AppError, textError } from '../../contract/errors.ts';
import { filePieceBytes } from '../../contract/file-methods.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { t } from '../../language/texts.ts';

export interface Outgoing {
  readonly name: string;
  readonly file: Blob;
}

const stopped = (): AppError => textError('cancelled', t('files.stoppedSending'));

/** Returns standard base64, or `null` if reading fails. */
export const base64Of = (piece: Blob): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(piece);
  });

async function bring(
  link: HostClient,
  uploadId: string,
  { name, file }: Outgoing,
  { signal, progress }: { signal: AbortSignal; progress(sent: number): void },
): Promise<Result<null>> {
  for (let offset = 0; offset < file.size; offset += filePieceBytes) {
    if (signal.aborted) return err(stopped());
    const base64 = await base64Of(file.slice(offset, offset + filePieceBytes));
    if (base64 === null)
      return err(
        textError('io_error', t('files.unreadable', { name }), {
          hint: t('files.unreadableHint'),
        }),
      );
    const sent = await link.call('files.piece', { uploadId, offset, base64 });
    if (!sent.ok) return sent;
    progress(sent.value.received);
  }
  return signal.aborted ? err(stopped()) : ok(null);
}

/** Resolves to ids for `chat.send`, in order. If one upload fails, the host drops all of them. */
export async function uploadAll(
  link: HostClient,
  files: readonly Outgoing[],
  signal: AbortSignal,
  progress: (index: number, sent: number) => void,
): Promise<Result<readonly string[]>> {
  const ids: string[] = [];
  const giveUp = <T>(failure: Result<T>): Result<T> => {
    for (const uploadId of ids) void link.call('files.cancel', { uploadId });
    return failure;
  };
  for (const [index, one] of files.entries()) {
    const mimeType = one.file.type.slice(0, 100) || 'application/octet-stream';
    const begun = await link.call('files.begin', {
      filename: one.name.slice(0, 255),
      mimeType,
      size: one.file.size,
    });
    if (!begun.ok) return giveUp(begun);
    ids.push(begun.value.uploadId);
    progress(index, 0);
    const brought = await bring(link, begun.value.uploadId, one, {
      signal,
      progress: (sent) => progress(index, sent),
    });
    if (!brought.ok) return giveUp(brought);
  }
  return ok(ids);
}

/** Reads a message attachment from the host in chunks. */

import { textError } from '../../contract/errors.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { t } from '../../language/texts.ts';
import { base64Bytes } from './base64-bytes.ts';

export interface FileRef {
  readonly message: string;
  readonly index: number;
}

interface Fetching {
  readonly limit: number;
  readonly signal: AbortSignal;
  progress(received: number): void;
}

export async function fetchFile(
  link: HostClient,
  { message, index }: FileRef,
  { limit, signal, progress }: Fetching,
): Promise<Result<Blob>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (;;) {
    const piece = await link.call('chat.file', { message, index, offset });
    if (!piece.ok) return piece;
    if (signal.aborted) return err(textError('cancelled', t('files.stopped')));
    const bytes = base64Bytes(piece.value.base64);
    pieces.push(bytes);
    offset += bytes.length;
    progress(offset);
    if (offset > limit) return err(textError('too_large', t('files.largerThanSaid')));
    if (piece.value.done) return ok(new Blob(pieces));
    if (bytes.length === 0) return err(textError('protocol', t('files.endedEarly')));
  }
}

/** Starts a browser download. The neutral media type prevents the browser from opening the file. */
export function saveAs(name: string, content: Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Reads a workspace file from the host in chunks and detects whether it can be previewed. */

import { type AppError, textError } from '../../../contract/errors.ts';
import type { HostClient } from '../../../contract/host-api.ts';
import { imageType } from '../../../contract/image-facts.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { locale, t } from '../../../language/texts.ts';
import { base64Bytes } from '../../files/base64-bytes.ts';
import { type Drawn, drawPicture } from '../../files/draw-picture.ts';
import { maxPictureBytes } from '../../files/image-kind.ts';
import { bytesWords } from '../../format/amounts.ts';

/** Limits in bytes for a text preview and for a file fetched whole. */
const shownText = 256 * 1024;
const mostWhole = 64 * 1024 * 1024;
const longestSide = 1600;

export interface WorkspaceFile {
  readonly agent: string;
  readonly path: string;
}

interface Reading {
  /** Bytes after which reading stops. */
  readonly enough: number;
  readonly signal: AbortSignal;
  progress(received: number, size: number): void;
}

const stopped = (): AppError => textError('cancelled', t('moving.stopped'));

interface Read {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

async function read(
  link: HostClient,
  file: WorkspaceFile,
  { enough, signal, progress }: Reading,
): Promise<Result<Read>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  let size: number | null = null;
  for (;;) {
    const piece = await link.call('agents.file', { ...file, offset });
    if (!piece.ok) return piece;
    if (signal.aborted) return err(stopped());
    if (size !== null && size !== piece.value.size) return err(textError('conflict', t('workspace.changed')));
    size = piece.value.size;
    const bytes = base64Bytes(piece.value.base64);
    pieces.push(bytes);
    offset += bytes.length;
    progress(offset, size);
    if (piece.value.done || offset >= enough) break;
  }
  return ok({ bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()), size });
}

export type FilePreview =
  | { readonly kind: 'text'; readonly text: string; readonly whole: boolean }
  | { readonly kind: 'picture'; readonly picture: Drawn }
  | { readonly kind: 'none' };

/**
 * Returns `null` for binary content: a NUL byte or invalid UTF-8. `stream` tolerates a character cut at the
 * end.
 */
function textOf(bytes: Uint8Array, whole: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return null;
  }
}

/** Detects the type from the first bytes, never from the name. */
export async function previewOf(
  link: HostClient,
  file: WorkspaceFile,
  signal: AbortSignal,
): Promise<Result<FilePreview>> {
  const quiet = { signal, progress: () => undefined };
  const begun = await read(link, file, { ...quiet, enough: 1 });
  if (!begun.ok) return begun;
  const { bytes, size } = begun.value;
  if (imageType(bytes) !== null && size <= maxPictureBytes) {
    const all = await read(link, file, { ...quiet, enough: size });
    if (!all.ok) return all;
    const picture = await drawPicture(all.value.bytes, longestSide);
    return ok(picture === null ? { kind: 'none' } : { kind: 'picture', picture });
  }
  const shown = bytes.slice(0, shownText);
  const whole = shown.length === size;
  const text = textOf(shown, whole);
  return ok(text === null ? { kind: 'none' } : { kind: 'text', text, whole });
}

export async function wholeFile(
  link: HostClient,
  file: WorkspaceFile,
  size: number,
  reading: Omit<Reading, 'enough'>,
): Promise<Result<Blob>> {
  if (size > mostWhole)
    return err(textError('too_large', t('workspace.tooLarge', { size: bytesWords(mostWhole) })));
  const all = await read(link, file, { ...reading, enough: mostWhole });
  return all.ok ? ok(new Blob([all.value.bytes])) : all;
}

export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name, locale(), { numeric: true });

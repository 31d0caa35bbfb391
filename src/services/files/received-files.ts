/**
 * Files of a message for an agent: downloaded, checked, and stored in the inbox of its workspace before the
 * agent reads of them. It promises names of its own making inside one folder (T15), one file in memory at a
 * time, the same result if it is repeated after a crash, and a reason for each file that failed.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { imageFacts } from '../../contract/image-facts.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { raceAgainst } from '../../core/lib/sleep.ts';
import type { ImageBlock } from '../../core/models/messages.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { type AttachmentMeta, openFile } from '../../core/puffo/attachment.ts';
import { safeFileNames } from '../../core/puffo/file-names.ts';
import { isEnvelopeId } from '../../core/puffo/ids.ts';
import { attachmentsOf } from '../../core/puffo/message-files.ts';
import type { FileIntake, ReceivedFile } from '../../core/tools/chat-files.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ImageShrinker } from './shrink-image.ts';

export interface ReceivedFilesDeps {
  /** Confined to the agent's working folder. */
  readonly workspace: ConfinedFiles;
  readonly crypto: CryptoEngine;
  readonly images: ImageShrinker;
  readonly clock: Clock;
  /** `patient`: wait for a file that is not uploaded yet. */
  download(blobId: string, patient: boolean): Promise<Result<Uint8Array>>;
}

const inbox = '.puffo/inbox';
const maxTotalBytes = 32 * 1024 * 1024;
const maxPixels = 64_000_000;
/** Pixels of the longer edge; models scale down larger images themselves. */
const longestEdge = 1_568;
/** Limits for images shown to a model directly: bytes of one, and how many per message. */
const maxShownBytes = 2 * 1024 * 1024;
const maxShown = 5;
/** ms for all files of a message. */
const deadlineMs = 180_000;

const late = fail('timeout', 'chat.timedOut');
const notOpen = fail('untrusted', 'chat.messageKeyMissing');
const tooLarge = fail('too_large', 'chat.receivedTooLarge');
const tooMuch = fail('too_large', 'chat.messageFilesTooLarge');
const tooManyPixels = fail('too_large', 'chat.tooManyPixels');

/** A single path component, whatever id the sender chose. */
const folderOf = (envelopeId: string): string =>
  isEnvelopeId(envelopeId) ? `${inbox}/${envelopeId}` : `${inbox}/msg_${sha256Hex(envelopeId).slice(0, 32)}`;

interface Taking {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Remaining ms. */
  readonly left: () => number;
  /** Bytes of the message's files so far. */
  total: number;
  shown: number;
  /** True if a file was still missing after the whole wait: the others are not waited for. */
  missed: boolean;
}

export function createReceivedFiles(deps: ReceivedFilesDeps): FileIntake {
  return {
    async fetch(message, signal) {
      const metas = attachmentsOf(message);
      if (metas.length === 0) return [];
      const begun = deps.clock.monotonic();
      const taking: Taking = {
        folder: folderOf(message.envelopeId),
        signal,
        left: () => deadlineMs - (deps.clock.monotonic() - begun),
        total: 0,
        shown: 0,
        missed: false,
      };
      const taken = metas.slice(0, maxFilesPerMessage);
      const names = safeFileNames(taken.map((meta) => meta?.filename ?? ''));
      const files: ReceivedFile[] = [];
      for (const [at, meta] of taken.entries())
        files.push(await one(deps, taking, meta, names[at] ?? 'file'));
      const more = metas.length - taken.length;
      if (more > 0) files.push(failure(`${more} more`, fail('too_large', 'chat.tooManyFiles')));
      return files;
    },
  };
}

const failure = (path: string, { message }: AppError): ReceivedFile => ({
  path,
  failure: message,
  image: null,
});

async function one(
  deps: ReceivedFilesDeps,
  taking: Taking,
  meta: AttachmentMeta | null,
  name: string,
): Promise<ReceivedFile> {
  if (!meta || meta.blob_id === '') return failure(name, notOpen);
  const path = `${taking.folder}/${name}`;
  const kept = await had(deps, path);
  const bytes = kept ?? (await fetched(deps, taking, meta, path));
  if (!bytes.ok) return failure(name, bytes.error);
  taking.total += bytes.value.length;
  return { path, failure: null, image: imageOf(bytes.value, taking) };
}

/** A file stored before a crash was complete and checked. */
async function had({ workspace }: ReceivedFilesDeps, path: string): Promise<Result<Uint8Array> | null> {
  const read = await workspace.read(path, { maxBytes: maxFileBytes });
  return read.ok && read.value.size <= maxFileBytes ? ok(read.value.bytes) : null;
}

async function fetched(
  deps: ReceivedFilesDeps,
  taking: Taking,
  meta: AttachmentMeta,
  path: string,
): Promise<Result<Uint8Array>> {
  const named = meta.size ?? meta.size_bytes ?? 0;
  if (named > maxFileBytes) return err(tooLarge);
  if (taking.total + named > maxTotalBytes) return err(tooMuch);
  const download = deps.download(meta.blob_id, !taking.missed);
  const raced = await raceAgainst(download, deps.clock, Math.max(0, taking.left()), taking.signal);
  if (raced.type !== 'value') return err(late);
  const blob = raced.value;
  if (!blob.ok) {
    taking.missed ||= blob.error.code === 'not_found';
    return blob;
  }
  const opened = openFile(deps.crypto, meta, blob.value);
  if (!opened.ok) return opened;
  if (opened.value.length > maxFileBytes) return err(tooLarge);
  if (taking.total + opened.value.length > maxTotalBytes) return err(tooMuch);
  const fit = await fitting(deps, opened.value);
  return fit.ok ? keep(deps, taking.folder, path, fit.value) : fit;
}

/**
 * Scales down large images and turns rotated ones for models; one that cannot be converted is kept unchanged.
 */
async function fitting({ images }: ReceivedFilesDeps, bytes: Uint8Array): Promise<Result<Uint8Array>> {
  const facts = imageFacts(bytes);
  if (!facts) return ok(bytes);
  if (facts.width * facts.height > maxPixels) return err(tooManyPixels);
  const longer = Math.max(facts.width, facts.height);
  if (longer <= longestEdge && facts.orientation === 1) return ok(bytes);
  const small = await images.shrink(bytes, facts, Math.min(longer, longestEdge));
  return small.ok ? small : ok(bytes);
}

async function keep(
  { workspace }: ReceivedFilesDeps,
  folder: string,
  path: string,
  bytes: Uint8Array,
): Promise<Result<Uint8Array>> {
  const made = await workspace.makeFolder(folder, true, 'private');
  if (!made.ok) return made;
  const written = await workspace.write(path, bytes, 'replace');
  return written.ok ? ok(bytes) : written;
}

function imageOf(bytes: Uint8Array, taking: Taking): ImageBlock | null {
  const facts = bytes.length <= maxShownBytes && taking.shown < maxShown ? imageFacts(bytes) : null;
  if (!facts || Math.max(facts.width, facts.height) > longestEdge) return null;
  taking.shown += 1;
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: facts.mimeType };
}

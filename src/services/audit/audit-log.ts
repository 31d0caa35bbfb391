/**
 * The append-only audit log of the host. It promises that a line is on disk when `append` resolves with ok
 * (simultaneous lines share one sync), that a line torn by a crash is moved aside and the chain continues,
 * and that a damaged log is moved aside under a dated name, reported, and never overwritten.
 */

import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  write,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { AuditLine } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AuditEntry, AuditPort } from '../../core/approvals/approval-ports.ts';
import { fileTimestamp } from '../../core/lib/file-timestamp.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import {
  type AuditCrypto,
  auditLineText,
  checkpointBytes,
  checkpointsName,
  genesis,
  keyName,
  logName,
  readLine,
  sealLine,
} from './audit-lines.ts';
import { type AuditEnd, missingLines } from './missing-lines.ts';
import { linesBackwards, wholeBytes } from './read-audit.ts';
import { checkpointEvery } from './verify-audit.ts';

export interface AuditLogOptions {
  readonly folder: string;
  readonly crypto: AuditCrypto;
  /** base64url. */
  readonly publicKey: string;
  /** base64url signature by the host's key. */
  sign(bytes: Uint8Array): string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called if the log was damaged or shortened; it was moved to `movedTo`. `known` is how many lines it
   * should have, or 0 if unknown.
   */
  onDamaged(movedTo: string, known: number): void;
  /** The last line known to be written, from another store; `null` if unknown. */
  remembered(): AuditEnd | null;
  /** Called once the line is on disk, so that another store can remember it. */
  onWritten(end: AuditEnd): void;
  /**
   * Called if the remembered line is no longer in the log. The log itself records this too, as it does
   * damage.
   */
  onMissing(what: string): void;
}

export interface AuditLog extends AuditPort {
  /** Waits for running writes and signs a last checkpoint. */
  close(): Promise<void>;
}

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);
const telling = new Set<AuditEntry['kind']>(['decision', 'grant', 'revoke']);
const maxDetail = 500;

interface Waiting {
  readonly entry: AuditEntry;
  readonly at: number;
  settle(result: Result<void>): void;
}

const failed = (error: unknown): Result<never> => {
  const code = systemErrorCode(error);
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return err(full ? fail('disk_full', 'storage.auditDiskFull') : fail('io_error', 'storage.auditNotWritten'));
};

class AuditFile implements AuditLog {
  readonly #options: AuditLogOptions;
  readonly #path: string;
  readonly #queue: Waiting[] = [];
  #file: number | null = null;
  #size = 0;
  #tail: AuditEnd = { seq: 0, hash: genesis };
  #signed = 0;
  /** Detected when the log was opened, and not yet recorded in it. */
  #missing: string | null = null;
  #writing: Promise<void> | null = null;
  #closed = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#path = join(options.folder, logName);
  }

  append(entry: AuditEntry): Promise<Result<void>> {
    if (this.#closed) return Promise.resolve(failed(null));
    return new Promise((settle) => {
      this.#queue.push({ entry, at: this.#options.clock.now(), settle });
      this.#writing ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    this.#checkpoint();
    this.#giveUp();
  }

  async #drain(): Promise<void> {
    // Callers of the same tick share the sync.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      const result = await this.#write(batch);
      for (const { settle } of batch) settle(result);
    }
    // Synchronous with the check of the queue: a later entry starts a new drain.
    this.#writing = null;
  }

  async #write(batch: readonly Waiting[]): Promise<Result<void>> {
    try {
      const file = this.#opened();
      const lines: AuditLine[] = [];
      let tail = this.#tail;
      for (const { entry, at } of [...this.#ownLines(), ...batch]) {
        const detail = entry.detail.slice(0, maxDetail);
        const line = { ...entry, detail, at, seq: tail.seq + 1, prev: tail.hash };
        const sealed = sealLine(this.#options.crypto, line);
        lines.push(sealed);
        tail = sealed;
      }
      const bytes = Buffer.from(lines.map(auditLineText).join(''), 'utf8');
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await writeAsync(file, bytes, at, bytes.length - at, this.#size + at);
        at += bytesWritten;
      }
      await syncAsync(file);
      this.#size += bytes.length;
      this.#tail = { seq: tail.seq, hash: tail.hash };
      this.#missing = null;
      this.#options.onWritten(this.#tail);
      if (tail.seq - this.#signed >= checkpointEvery || batch.some(({ entry }) => telling.has(entry.kind)))
        this.#checkpoint();
      return ok(undefined);
    } catch (error) {
      this.#options.log.error('audit_not_written', { error });
      this.#takeBack();
      return failed(error);
    }
  }

  /** Truncates unconfirmed bytes, so that the next line follows the last confirmed one. */
  #takeBack(): void {
    try {
      if (this.#file !== null) ftruncateSync(this.#file, this.#size);
    } catch (error) {
      this.#options.log.warn('audit_not_shortened', { error });
    }
    this.#giveUp();
  }

  #giveUp(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #opened(): number {
    if (this.#file !== null) return this.#file;
    const { folder, publicKey } = this.#options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = this.#findEnd();
    const key = join(folder, keyName);
    const text = `${JSON.stringify({ publicKey }, null, 2)}\n`;
    if (!existsSync(key) || readFileSync(key, 'utf8') !== text) writeFileSync(key, text, { mode: 0o600 });
    const file = openSync(this.#path, existsSync(this.#path) ? 'r+' : 'wx+', 0o600);
    this.#file = file;
    this.#tail = found.tail;
    this.#compare(found.tail);
    this.#signed = found.tail.seq;
    this.#size = found.size;
    return file;
  }

  #compare(found: AuditEnd): void {
    const { folder, crypto, log, onMissing } = this.#options;
    const end = this.#options.remembered();
    const what = end && end.seq > 0 ? missingLines(crypto, folder, { found, remembered: end }) : null;
    if (what === null || this.#missing !== null) return;
    this.#missing = `Of the log before this line ${what}.`;
    log.error('audit_lines_missing', { what });
    onMissing(what);
  }

  /** The log's own findings come before the first regular line. */
  #ownLines(): readonly Pick<Waiting, 'entry' | 'at'>[] {
    if (this.#missing === null) return [];
    const entry = { kind: 'start', agentId: '', tool: '', digest: '', outcome: 'incomplete' } as const;
    return [{ entry: { ...entry, detail: this.#missing }, at: this.#options.clock.now() }];
  }

  /** Finds the end of the chain; moves aside a line torn by a crash, or a log with a wrong end. */
  #findEnd(): { readonly tail: AuditEnd; readonly size: number } {
    const fresh = { tail: { seq: 0, hash: genesis }, size: 0 };
    const size = this.#cutTornEnd();
    const signedTo = this.#signedTo();
    const [last] = linesBackwards(this.#path);
    const line = last ? readLine(this.#options.crypto, last) : null;
    if (line === null && signedTo === 0) return fresh;
    if (line !== null && typeof line !== 'string' && line.seq >= signedTo) {
      return { tail: { seq: line.seq, hash: line.hash }, size };
    }
    this.#putAside();
    return fresh;
  }

  #signedTo(): number {
    const [last] = linesBackwards(join(this.#options.folder, checkpointsName));
    const match = last ? /"seq":(\d+)/.exec(last.toString('utf8')) : null;
    return match ? Number(match[1]) : 0;
  }

  /** The size without an unfinished last line; that line is saved in a file of its own. */
  #cutTornEnd(): number {
    if (!existsSync(this.#path)) return 0;
    const whole = wholeBytes(this.#path);
    if (whole === statSync(this.#path).size) return whole;
    const torn = readFileSync(this.#path).subarray(whole);
    const name = `audit.torn-${fileTimestamp(this.#options.clock.now())}.jsonl`;
    writeFileSync(join(this.#options.folder, name), torn, { mode: 0o600 });
    truncateSync(this.#path, whole);
    this.#options.log.warn('audit_torn_end', { bytes: torn.length });
    return whole;
  }

  #putAside(): void {
    const { folder, clock, log, onDamaged } = this.#options;
    const at = fileTimestamp(clock.now());
    const movedTo = join(folder, `audit.damaged-${at}.jsonl`);
    if (existsSync(this.#path)) renameSync(this.#path, movedTo);
    const checkpoints = join(folder, checkpointsName);
    if (existsSync(checkpoints)) renameSync(checkpoints, join(folder, `checkpoints.damaged-${at}.jsonl`));
    const known = this.#options.remembered()?.seq ?? 0;
    const should = known > 0 ? `It should have ${known} lines. ` : '';
    this.#missing = `The log before this line was damaged or cut short. ${should}It was put aside as ${basename(movedTo)}.`;
    log.error('audit_damaged', { movedTo, known });
    onDamaged(movedTo, known);
  }

  /** Best effort, because the next checkpoint covers this part too. */
  #checkpoint(): void {
    const { seq, hash } = this.#tail;
    if (seq === 0 || seq === this.#signed) return;
    const { folder, clock, log } = this.#options;
    const checkpoint = { seq, hash, at: clock.now() };
    const signature = this.#options.sign(checkpointBytes(checkpoint));
    const path = join(folder, checkpointsName);
    try {
      // A full disk or a crash may have left a partial line, which would spoil the next.
      if (existsSync(path)) truncateSync(path, wholeBytes(path));
      appendFileSync(path, `${JSON.stringify({ ...checkpoint, signature })}\n`, { mode: 0o600 });
      this.#signed = seq;
    } catch (error) {
      log.warn('audit_checkpoint_failed', { error });
    }
  }
}

export const openAuditLog = (options: AuditLogOptions): AuditLog => new AuditFile(options);

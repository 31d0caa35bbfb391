/**
 * Watches the files of one trigger: `fs.watch` gives hints, a sweep decides. It promises to report a change
 * once its file has not changed for the rest time, whether it was written in place, in pieces or by a rename.
 */

import type { Clock, Log, Timer } from '../../core/ports.ts';
import type { ChangedFile, FileTriggerState } from '../../core/tasks/file-trigger.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { FolderWatches } from '../../platform/folder-watches.ts';
import {
  type FileFacts,
  type FileListing,
  listWatchedFiles,
  readSeen,
  sameFacts,
  type WatchedPath,
} from './list-files.ts';

export interface FileWatchTarget extends WatchedPath {
  /** ms that a file must stay unchanged. */
  readonly restMs: number;
}

export interface WatchedState {
  /** `null` before the first sweep. */
  seen(): FileTriggerState['seen'];
  /** Takes the existing files if no state was stored. */
  first(files: readonly ChangedFile[]): void;
  /** `files` changed and are at rest; `gone` are deleted. */
  change(files: readonly ChangedFile[], gone: readonly string[]): void;
}

export interface FileWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly target: FileWatchTarget;
  /** The stored state, which decides what counts as a change. */
  readonly state: WatchedState;
  /** Empty if the problem is solved. */
  onProblem(problem: HostText): void;
}

export const sweepMs = 5_000;
/** More files take longer to sweep, so the sweep runs less often. */
const sweepMsPerFile = 5;
/** ms; an editor that writes by renaming leaves a gap up to this long. */
const goneMs = 3_000;
const hintMs = 20;
/** Maximum share of time spent sweeping a folder that changes all the time. */
const busyShare = 1 / 5;
const maxWatches = 200;

interface Moving {
  readonly facts: FileFacts;
  /** Monotonic ms. */
  readonly since: number;
}

export class FileWatch {
  readonly #deps: FileWatchDeps;
  readonly #watches = new FolderWatches();
  readonly #moving = new Map<string, Moving>();
  readonly #missing = new Map<string, number>();
  #timer: Timer | null = null;
  /** Monotonic ms. */
  #nextAt = 0;
  #lookedMs = 0;
  #looking = false;
  #again = false;
  #stopped = false;
  #problem: HostText = '';

  constructor(deps: FileWatchDeps) {
    this.#deps = deps;
    this.#lookIn(0);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#watches.close();
  }

  #lookIn(ms: number): void {
    this.#timer?.cancel();
    if (this.#stopped) return;
    this.#nextAt = this.#deps.clock.monotonic() + ms;
    this.#timer = this.#deps.clock.after(ms, () => this.#begin(), { unref: true });
  }

  /** One sweep at a time; a hint during one brings the next forward. */
  #begin(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    this.#look()
      .catch((error: unknown) => {
        this.#deps.log.error('file_watch_failed', { error });
        return sweepMs;
      })
      .then((ms) => {
        this.#looking = false;
        this.#lookIn(this.#again ? this.#hintMs() : ms);
        this.#again = false;
      })
      .catch(() => undefined);
  }

  /** Returns the ms until the next sweep. */
  async #look(): Promise<number> {
    const { clock, target } = this.#deps;
    const begun = clock.monotonic();
    const listing = await listWatchedFiles(target);
    this.#lookedMs = clock.monotonic() - begun;
    if (this.#stopped) return sweepMs;
    this.#tell(listing.problem);
    this.#tend(listing.folders);
    const seen = this.#deps.state.seen();
    if (seen === null) await this.#first(listing);
    else await this.#compare(seen, listing);
    return this.#nextLook(listing.files.size);
  }

  #tell(problem: HostText): void {
    if (englishText(problem) === englishText(this.#problem)) return;
    this.#problem = problem;
    this.#deps.onProblem(problem);
  }

  async #first({ files }: FileListing): Promise<void> {
    const all: ChangedFile[] = [];
    for (const [path, facts] of files) {
      const seen = await readSeen(path, facts);
      if (seen) all.push({ path, seen });
    }
    if (!this.#stopped) this.#deps.state.first(all);
  }

  async #compare(seen: NonNullable<FileTriggerState['seen']>, { files, whole }: FileListing): Promise<void> {
    const now = this.#deps.clock.monotonic();
    for (const path of this.#moving.keys()) if (!files.has(path)) this.#moving.delete(path);
    const changed = await this.#changed(seen, files, now);
    const gone = whole ? this.#gone(Object.keys(seen), files, now) : [];
    if (this.#stopped || (changed.length === 0 && gone.length === 0)) return;
    this.#deps.state.change(changed, gone);
  }

  async #changed(seen: NonNullable<FileTriggerState['seen']>, files: FileListing['files'], now: number) {
    const changed: ChangedFile[] = [];
    for (const [path, facts] of files) {
      const before = Object.hasOwn(seen, path) ? seen[path] : undefined;
      if (sameFacts(before, facts)) this.#moving.delete(path);
      else if (this.#rests(path, facts, now)) {
        const read = await readSeen(path, facts);
        this.#moving.delete(path);
        if (read) changed.push({ path, seen: read });
      }
    }
    return changed;
  }

  #rests(path: string, facts: FileFacts, now: number): boolean {
    const before = this.#moving.get(path);
    if (!before || !sameFacts(before.facts, facts)) {
      this.#moving.set(path, { facts, since: now });
      return false;
    }
    return now - before.since >= this.#deps.target.restMs;
  }

  #gone(known: readonly string[], files: FileListing['files'], now: number): string[] {
    const missing = known.filter((path) => !files.has(path));
    for (const path of this.#missing.keys()) if (!missing.includes(path)) this.#missing.delete(path);
    for (const path of missing) if (!this.#missing.has(path)) this.#missing.set(path, now);
    const gone = missing.filter((path) => now - (this.#missing.get(path) ?? now) >= goneMs);
    for (const path of gone) this.#missing.delete(path);
    return gone;
  }

  #nextLook(files: number): number {
    const now = this.#deps.clock.monotonic();
    const { restMs } = this.#deps.target;
    const waits = [
      sweepMs + files * sweepMsPerFile,
      ...[...this.#moving.values()].map(({ since }) => since + restMs - now),
      ...[...this.#missing.values()].map((since) => since + goneMs - now),
    ];
    return Math.max(hintMs, Math.min(...waits));
  }

  #tend(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, maxWatches));
    this.#watches.keepOnly(wanted);
    for (const folder of wanted) {
      const refusal = this.#watches.add(folder, folder, () => this.#hint());
      if (refusal) this.#deps.log.debug('file_watch_refused', { code: refusal.code });
    }
  }

  /**
   * Brings the next sweep forward and never delays it, because constant hints would otherwise prevent every
   * sweep.
   */
  #hint(): void {
    if (this.#looking) this.#again = true;
    else if (this.#nextAt - this.#deps.clock.monotonic() > this.#hintMs()) this.#lookIn(this.#hintMs());
  }

  #hintMs(): number {
    return Math.max(hintMs, this.#lookedMs * (1 / busyShare - 1));
  }
}

/**
 * Notices edits: `fs.watch` on each agent's folder gives hints within milliseconds, a sweep of stats decides.
 * The sweep runs in slices of 100 agents between turns of the event loop, every 2 s (or as configured) after
 * a recent change and every 15 s otherwise; if watches run out or do not work, only the sweep notices
 * changes.
 */
import { join } from 'node:path';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import { FolderWatches, type WatchFolder } from '../../platform/folder-watches.ts';
import { configFile, requestFolder } from './agent-folder.ts';
import type { LoadedAgents } from './loaded-agents.ts';

export interface AgentWatchDeps {
  readonly loaded: LoadedAgents;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (ids: readonly string[]) => void;
  /** `fs.watch` when absent. */
  readonly watchFolder?: WatchFolder;
  /** ms between two sweeps after a recent change; 2 s when absent. */
  readonly sweepMs?: () => number;
}

const sliceSize = 100;
const busySweepMs = 2_000;
const quietSweepMs = 15_000;
/** ms for which a change counts as recent. */
const busyForMs = 60_000;
/** Delays of the next check of an unfinished file (an editor truncates, then writes): short at first. */
const firstWaitMs = 8;
const longestWaitMs = 250;
/** The hint id of the folder of all agents. */
const allAgents = '';

const relevant = (name: string | null): boolean =>
  name === null || name === configFile || name === requestFolder || name.endsWith('.md');
const anything = (): boolean => true;

export class AgentWatch {
  readonly #deps: AgentWatchDeps;
  readonly #watches: FolderWatches;
  readonly #timers = new Set<Timer>();
  readonly #hinted = new Set<string>();
  #blind = false;
  #stopped = false;
  #waiting = false;
  #waitMs = firstWaitMs;
  #quiet = false;
  #nextSweep: Timer | null = null;
  #lastChange: number;

  constructor(deps: AgentWatchDeps) {
    this.#deps = deps;
    this.#watches = new FolderWatches(deps.watchFolder);
    this.#lastChange = deps.clock.monotonic() - busyForMs;
    this.#add(allAgents, this.#deps.loaded.root, allAgents, anything);
    for (const { id } of deps.loaded.list()) this.#tend(id);
    this.#sweepIn('busy');
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) timer.cancel();
    this.#watches.close();
  }

  /** Reports changes, updates the watches, and schedules a check of unfinished files. */
  report(ids: readonly string[]): void {
    const { loaded } = this.#deps;
    if (ids.length > 0) {
      this.#lastChange = this.#deps.clock.monotonic();
      if (this.#quiet) this.#sweepIn('busy');
      this.#add(allAgents, this.#deps.loaded.root, allAgents, anything);
      for (const id of ids) this.#tend(id);
      this.#deps.changed(ids);
    }
    if (this.#waiting) return;
    if (loaded.waiting().length === 0) {
      this.#waitMs = firstWaitMs;
      return;
    }
    this.#waiting = true;
    const wait = this.#waitMs;
    this.#waitMs = Math.min(longestWaitMs, wait * 2);
    this.#later(wait, () => {
      this.#waiting = false;
      this.report(loaded.waiting().filter((id) => loaded.check(id)));
    });
  }

  #later(ms: number, run: () => void): Timer {
    const timer = this.#deps.clock.after(
      ms,
      () => {
        this.#timers.delete(timer);
        if (!this.#stopped) run();
      },
      { unref: true },
    );
    this.#timers.add(timer);
    return timer;
  }

  /** One check per burst of events. */
  #hint(id: string): void {
    if (this.#hinted.size === 0) this.#later(0, () => this.#lookAtHinted());
    this.#hinted.add(id);
  }

  #lookAtHinted(): void {
    const { loaded } = this.#deps;
    const looked = [...this.#hinted];
    this.#hinted.clear();
    const folders = looked.includes(allAgents) ? loaded.checkFolders() : [];
    const agents = looked.filter((id) => id !== allAgents && loaded.get(id) && loaded.check(id));
    this.report([...new Set([...folders, ...agents])]);
  }

  #sweepFrom(): void {
    // A running sweep cannot be brought forward.
    this.#quiet = false;
    this.report(this.#deps.loaded.checkFolders());
    this.#add(allAgents, this.#deps.loaded.root, allAgents, anything);
    this.#sweep(this.#deps.loaded.ids(), 0);
  }

  #sweep(ids: readonly string[], at: number): void {
    const { loaded, clock } = this.#deps;
    this.report(ids.slice(at, at + sliceSize).filter((id) => loaded.get(id) && loaded.check(id)));
    if (at + sliceSize < ids.length) {
      this.#later(0, () => this.#sweep(ids, at + sliceSize));
      return;
    }
    this.#sweepIn(clock.monotonic() - this.#lastChange < busyForMs ? 'busy' : 'quiet');
  }

  #sweepIn(pace: 'busy' | 'quiet'): void {
    this.#quiet = pace === 'quiet';
    const busyMs = this.#deps.sweepMs?.() ?? busySweepMs;
    const ms = this.#quiet ? Math.max(busyMs, quietSweepMs) : busyMs;
    this.#nextSweep?.cancel();
    this.#nextSweep = this.#later(ms, () => this.#sweepFrom());
  }

  /** Adds and removes watches of one agent to match its folders. */
  #tend(id: string): void {
    const { loaded } = this.#deps;
    const requests = `${id}/${requestFolder}`;
    if (!loaded.get(id)) {
      this.#watches.drop(id);
      this.#watches.drop(requests);
      return;
    }
    const folder = loaded.folderOf(id);
    this.#add(id, folder, id, relevant);
    this.#add(requests, join(folder, requestFolder), id, anything);
  }

  #add(key: string, path: string, id: string, wanted: (name: string | null) => boolean): void {
    if (this.#blind) return;
    const refusal = this.#watches.add(key, path, (name) => {
      if (wanted(name)) this.#hint(id);
    });
    if (refusal?.reason !== 'refused') return;
    this.#blind = true;
    this.#deps.log.warn('watches_exhausted', { code: refusal.code, watching: this.#watches.size });
  }
}

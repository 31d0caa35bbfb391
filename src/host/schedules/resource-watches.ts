import { messageOf } from '../../contract/errors.ts';
import { type WatchedServer, watchUri } from '../../core/agentd/watch-uri.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Observed } from '../../core/mcp/observed-content.ts';
import type { Timer } from '../../core/ports.ts';
import { lookAtResource, resourceKey } from '../../core/tasks/resource-trigger.ts';
import type { ScheduleWhen } from '../../core/tasks/schedule.ts';
import { type ScheduleRow, scheduledStart } from '../../core/tasks/schedule-row.ts';
import type { TaskBody } from '../../core/tasks/task.ts';
import type { HostText } from '../../language/host-message.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { HostPorts } from '../host-ports.ts';

/** A server that runs while it is watched. */
export type HeldServer = WatchedServer & { close(): Promise<void> };

/** `agent`: id of the agent whose server it is; `null` for one of all agents. */
export type ResourceServers = (name: string, agent: string | null) => HeldServer;

export interface ResourceWatchesDeps {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log'>;
  readonly servers: ResourceServers;
  /** The stored row, or `null` if it was deleted. */
  row(id: string): ScheduleRow | null;
  /** Saves both in one transaction, then publishes the change. */
  keep(row: ScheduleRow, task: TaskBody | null): void;
  /** The task or run of the newest change has not ended. */
  isBusy(row: ScheduleRow): Promise<boolean>;
  onProblem(id: string): void;
}

/** ms until a change that waits for the end of an earlier start is looked at again. */
const busyMs = 2_000;

type ResourceWhen = Extract<ScheduleWhen, { kind: 'resource' }>;

/** One watch per enabled schedule of a resource. */
export class ResourceWatches {
  readonly #deps: ResourceWatchesDeps;
  readonly #watches = new Map<string, { readonly key: string; readonly watch: ResourceWatch }>();
  readonly #closing = new Set<Promise<void>>();

  constructor(deps: ResourceWatchesDeps) {
    this.#deps = deps;
  }

  problem(id: string): HostText {
    return this.#watches.get(id)?.watch.problem ?? '';
  }

  /** Starts, stops or replaces the watch to match the row. */
  tend(id: string, row: ScheduleRow | null): void {
    const wanted = row?.enabled && row.when.kind === 'resource' ? row.when : null;
    const key = JSON.stringify(wanted);
    const before = this.#watches.get(id);
    if (before?.key === key) return;
    this.#watches.delete(id);
    if (before) this.#close(before.watch);
    if (wanted) this.#watches.set(id, { key, watch: new ResourceWatch(id, wanted, this.#deps) });
  }

  async stop(): Promise<void> {
    for (const { watch } of this.#watches.values()) this.#close(watch);
    this.#watches.clear();
    await Promise.all(this.#closing);
  }

  #close(watch: ResourceWatch): void {
    const closing = watch.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** Starts at most one thing at a time, with the newest content; what was handled is stored with the start. */
class ResourceWatch {
  readonly #id: string;
  readonly #when: ResourceWhen;
  readonly #deps: ResourceWatchesDeps;
  readonly #ending = new AbortController();
  readonly #server: HeldServer;
  readonly #watching: Promise<void>;
  #pending: Observed | null = null;
  #timer: Timer | null = null;
  #problem: HostText = '';

  constructor(id: string, when: ResourceWhen, deps: ResourceWatchesDeps) {
    this.#id = id;
    this.#when = when;
    this.#deps = deps;
    this.#server = deps.servers(when.server, when.agent);
    const { clock, random } = deps.ports;
    const { uri, pollMs } = when;
    this.#watching = watchUri(
      uri,
      { clock, random, sha256: sha256Hex, links: [this.#server], pollMs },
      {
        observed: (_uri, content) => this.#observed(content),
        failed: (_uri, error) => {
          this.#problem = error ? messageOf(error) : '';
          if (!this.#ending.signal.aborted) deps.onProblem(id);
        },
      },
      this.#ending.signal,
    );
  }

  get problem(): HostText {
    return this.#problem;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#timer?.cancel();
    await this.#server.close();
    await this.#watching;
  }

  #observed(content: Observed): void {
    if (this.#pending?.digest === content.digest) return;
    this.#pending = content;
    this.#wait(this.#when.restMs);
  }

  #wait(ms: number): void {
    this.#timer?.cancel();
    if (this.#ending.signal.aborted) return;
    this.#timer = this.#deps.ports.clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { log } = this.#deps.ports;
    try {
      await this.#handle();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The change is still pending.
      log.warn('schedule_not_kept', { id: this.#id, code: error.code });
      this.#wait(busyMs);
    }
  }

  async #handle(): Promise<void> {
    const before = this.#deps.row(this.#id);
    const isFirst = before?.resource.seen === null;
    if (before && !isFirst && (await this.#deps.isBusy(before))) {
      this.#wait(busyMs);
      return;
    }
    // Read again: the check may have taken a while.
    const row = this.#deps.row(this.#id);
    const content = this.#pending;
    if (this.#ending.signal.aborted || !row?.enabled || content === null) return;
    const now = this.#deps.ports.clock.now();
    const look = lookAtResource(row.resource, this.#when.uri, content, now);
    if (look.kind === 'wait') {
      this.#wait(look.ms);
      return;
    }
    if (look.kind === 'first') this.#deps.keep({ ...row, resource: look.state }, null);
    else if (look.kind === 'start') {
      const key = resourceKey(this.#id, look.state.started);
      const run = { key, at: now, path: null, change: look.change };
      const begun = scheduledStart({ ...row, resource: look.state }, run, now);
      this.#deps.keep(begun.row, begun.task);
    }
    this.#pending = null;
  }
}

/** Starts the embedded relay's thread and exchanges messages with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { HostedRelay } from './open-relay.ts';
import type { FromRelayThread, RelayMethod, RelayThreadData, ToRelayThread } from './relay-thread-frames.ts';

export interface RelayThreadDeps extends RelayThreadData {
  readonly clock: Clock;
  readonly log: Log;
  /** The thread ended unexpectedly. */
  onCrash(message: string): void;
}

export interface ThreadedRelay extends HostedRelay {
  /** Ends the thread at once, like a crash. */
  kill(): void;
}

const stopMs = 5_000;
const heapMegabytes = 1_024;
/** V8 would let it grow to several times that under load, and give nothing back. */
const youngMegabytes = 4;

/** Beside this file in src; beside the chunks or the entry point in a bundle. */
function entryUrl(): URL {
  const here = import.meta.dirname;
  const places = [
    join(here, 'relay-thread.js'),
    join(here, '..', 'relay-thread.js'),
    join(here, 'relay-thread.ts'),
  ];
  return pathToFileURL(places.find((place) => existsSync(place)) ?? join(here, 'relay-thread.js'));
}

const ended = (message: string) => fail('unavailable', 'server.relayStartFailed', { message });

class RelayThread {
  readonly #deps: RelayThreadDeps;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #exited: Promise<void>;
  #opened: ((result: Result<ThreadedRelay>) => void) | null = null;
  #lastError = 'its thread exited';
  #nextId = 1;
  #running = false;
  #stopping = false;

  constructor(deps: RelayThreadDeps) {
    this.#deps = deps;
    const workerData: RelayThreadData = { file: deps.file, port: deps.port };
    this.#worker = new Worker(entryUrl(), {
      workerData,
      env: {},
      name: 'kennel-relay',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#worker.on('message', (frame: FromRelayThread) => this.#receive(frame));
    this.#worker.on('error', (error: Error) => {
      this.#lastError = error.message;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#onExit();
        resolve();
      });
    });
  }

  opened(): Promise<Result<ThreadedRelay>> {
    return new Promise((resolve) => {
      this.#opened = resolve;
    });
  }

  #receive(frame: FromRelayThread): void {
    if (frame.type === 'log') this.#deps.log[frame.level](frame.event, { ...frame.fields });
    else if (frame.type === 'started') this.#started(frame.url, frame.port);
    else if (frame.type === 'refused') this.#settle(err(frame.error));
    else {
      const caller = this.#waiting.get(frame.id);
      this.#waiting.delete(frame.id);
      if (frame.type === 'answer') caller?.resolve(frame.value);
      else caller?.reject(new Error(frame.message));
    }
  }

  #settle(result: Result<ThreadedRelay>): void {
    this.#opened?.(result);
    this.#opened = null;
  }

  #started(url: string, port: number): void {
    this.#running = true;
    this.#settle(
      ok({
        url,
        port,
        createInvite: () => this.#call('createInvite', []),
        serverView: (room, limit) => this.#call('serverView', [room, limit]),
        status: (mostPeople) => this.#call('status', [mostPeople]),
        stop: () => this.#stop(),
        kill: () => void this.#worker.terminate(),
      }),
    );
  }

  #call<T>(method: RelayMethod, args: readonly unknown[]): Promise<T> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<T>((resolve, reject) => {
      if (!this.#running) return reject(new Error(this.#lastError));
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      const frame: ToRelayThread = { id, method, args };
      this.#worker.postMessage(frame);
    });
  }

  async #stop(): Promise<void> {
    if (!this.#stopping) {
      this.#stopping = true;
      this.#call('stop', []).catch(() => undefined);
    }
    const deadline = this.#deps.clock.after(stopMs, () => void this.#worker.terminate(), { unref: true });
    await this.#exited;
    deadline.cancel();
  }

  #onExit(): void {
    const crashed = this.#running && !this.#stopping;
    this.#running = false;
    for (const { reject } of this.#waiting.values()) reject(new Error(this.#lastError));
    this.#waiting.clear();
    this.#settle(err(ended(this.#lastError)));
    if (crashed) this.#deps.onCrash(this.#lastError);
  }
}

/** Errors are those of `openRelay`, and `unavailable` if the thread ends before it has started. */
export const startRelayThread = (deps: RelayThreadDeps): Promise<Result<ThreadedRelay>> =>
  new RelayThread(deps).opened();

/** The host that this app uses: its own, or one in another process that already held the data folder. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostApi } from '../contract/host-api.ts';
import type { Result } from '../contract/result.ts';
import type { Host } from '../host/host-ports.ts';
import { connectRemoteHost, type LineState, type OpenLine, type RemoteHost } from './remote-host.ts';

export interface LinkedHost extends HostApi {
  readonly by: 'app' | 'other';
  /** Process id of the host; `null` while unknown. */
  pid(): number | null;
  onState(listener: (state: LineState) => void): void;
  /** Stops an own host; only disconnects from another one. */
  stop(reason: string): Promise<void>;
  /** Resolves with the reason when an own host has stopped; never resolves for another one. */
  readonly stopped: Promise<string>;
}

function ownHost(host: Host): LinkedHost {
  return {
    by: 'app',
    pid: () => process.pid,
    onState: () => {},
    stop: (reason) => host.stop(reason),
    stopped: host.stopped,
    call: (...asked) => host.call(...asked),
    subscribe: (...asked) => host.subscribe(...asked),
  };
}

function otherHost(host: RemoteHost): LinkedHost {
  return {
    by: 'other',
    pid: () => host.pid(),
    onState: (listener) => host.onState(listener),
    stop: async () => host.close(),
    stopped: new Promise(() => {}),
    call: (...asked) => host.call(...asked),
    subscribe: (...asked) => host.subscribe(...asked),
  };
}

export interface LinkOptions {
  startOwn(): Promise<Result<Host>>;
  readonly openOther: OpenLine;
  /** How long to retry a host that holds the folder but does not answer yet, in ms. */
  readonly patienceMs?: number;
}

/** The lock of the data folder decides: the app connects to another host only if that one holds the lock. */
export async function linkHost({
  startOwn,
  openOther,
  patienceMs = 10_000,
}: LinkOptions): Promise<Result<LinkedHost>> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const own = await startOwn();
    if (own.ok) return { ok: true, value: ownHost(own.value) };
    if (own.error.code !== 'held') return own;
    const other = await connectRemoteHost(openOther);
    if (other) return { ok: true, value: otherHost(other) };
    if (Date.now() >= until) return own;
    await sleep(200);
  }
}

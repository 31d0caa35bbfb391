/** The host that this app works with: one of its own, or one that had the folder already. */
import type { HostApi } from '../contract/host-api.ts';
import type { Result } from '../contract/result.ts';
import type { Host } from '../host/host-ports.ts';
import { connectRemoteHost, type LineState, type OpenLine, type RemoteHost } from './remote-host.ts';

export interface LinkedHost extends HostApi {
  readonly by: 'app' | 'other';
  /** Of the process it runs in; null while that is not known. */
  pid(): number | null;
  onState(listener: (state: LineState) => void): void;
  /** Our own stops; another one is let go. */
  stop(reason: string): Promise<void>;
  /** Only our own ends: whoever asked for it. */
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
  /** How long a host that has the folder, but does not answer yet, is waited for. */
  readonly patienceMs?: number;
}

/** The lock decides who hosts: only where another process has it, that one is asked. */
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
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Keeps one account connected: subkey, socket, catch-up, live frames, and reconnects with back-off and jitter
 * (1 s to 60 s, reset after a successful handshake). After the machine slept it retries at once.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import type { Connection as ConnectionState } from '../../contract/model.ts';
import type { Backoff } from '../../core/lib/backoff.ts';
import type { Log } from '../../core/ports.ts';
import type { ServerFrame } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import type { ServerDirectory } from './directory.ts';
import type { InboxFeed } from './inbox-feed.ts';
import { plainError } from './request-error.ts';
import type { OpenedSocket, SessionSocket } from './session-socket.ts';
import type { PuffoSocket } from './socket.ts';

export interface ConnectionEvents {
  onState(state: ConnectionState, detail: AppError | null): void;
  onOnline(greeting: ServerFrame): void;
  onOffline(): void;
  /** Called if another program is connected as this identity: it may have sent what is queued here. */
  onHeldElsewhere(): void;
  /** Called for every frame that is not a message. */
  onFrame(frame: ServerFrame): void;
}

export interface ConnectionDeps {
  readonly directory: Pick<ServerDirectory, 'connecting' | 'wheel'>;
  readonly sessionSocket: SessionSocket;
  readonly feed: InboxFeed;
  readonly pauses: Backoff;
  readonly events: ConnectionEvents;
  readonly log: Log;
}

export const reconnectPolicy = { firstMs: 1_000, maxMs: 60_000 };

/** Waiting alone will not help: the server or the config refuses. */
const blocks = (error: AppError): boolean =>
  ['unauthenticated', 'forbidden', 'invalid_input', 'untrusted', 'held'].includes(error.code);

export class ServerConnection {
  readonly #deps: ConnectionDeps;
  #socket: PuffoSocket | null = null;
  #nap: AbortController | null = null;
  #held = false;
  /**
   * True if the last attempt was refused: the state stays `blocked` until that changes, and does not flicker
   * with each attempt.
   */
  #blocked = false;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** Resolves once the signal aborted and nothing runs any more. */
  async run(signal: AbortSignal): Promise<void> {
    const { events, directory } = this.#deps;
    const stopListening = directory.wheel.onWake(() => this.#woke());
    let attempt = 0;
    while (!signal.aborted) {
      if (!this.#blocked) events.onState('connecting', null);
      const greeted = await this.#once(signal);
      if (signal.aborted) break;
      attempt = greeted ? 0 : attempt + 1;
      await this.#wait(Math.max(0, attempt - 1), signal);
    }
    stopListening();
    events.onState('offline', null);
  }

  #woke(): void {
    this.#nap?.abort();
    this.#socket?.probe();
  }

  async #wait(attempt: number, signal: AbortSignal): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    const stop = (): void => nap.abort();
    signal.addEventListener('abort', stop, { once: true });
    await this.#deps.pauses.wait(attempt, nap.signal);
    signal.removeEventListener('abort', stop);
    this.#nap = null;
  }

  /** Runs one connection from subkey to close; returns true if the server greeted. */
  async #once(signal: AbortSignal): Promise<boolean> {
    const { directory, sessionSocket, feed, events, log } = this.#deps;
    const on = {
      frame(frame: ServerFrame, bytes: number): void {
        if (frame.type === 'message') feed.offer(frame.envelope, bytes);
        else events.onFrame(frame);
      },
      oddFrame: (why: string) => log.warn('account.odd_frame', { why }),
    };
    const opened = await directory.connecting(() => sessionSocket.open(on, signal));
    if (opened.type === 'open') await this.#live(opened.socket, signal);
    if (opened.type === 'failed') this.#failed(opened, signal);
    return opened.type === 'open';
  }

  #failed({ error, mending }: Extract<OpenedSocket, { type: 'failed' }>, signal: AbortSignal): void {
    if (error.code === 'held') this.#yield();
    this.#blocked = blocks(error) && !mending;
    const state = this.#blocked ? 'blocked' : 'offline';
    this.#deps.log.info('account.not_connected', { code: error.code, state });
    if (!signal.aborted) this.#deps.events.onState(state, plainError(error));
  }

  #yield(): void {
    this.#held = true;
    this.#deps.events.onHeldElsewhere();
  }

  async #live(socket: PuffoSocket, signal: AbortSignal): Promise<void> {
    const { events, feed, log } = this.#deps;
    this.#socket = socket;
    // Covers messages queued since the last check, while the other program was still connected.
    if (this.#held) events.onHeldElsewhere();
    this.#held = false;
    this.#blocked = false;
    events.onState('online', null);
    feed.connected(socket);
    events.onOnline(socket.greeting);
    const close = await socket.closed;
    this.#socket = null;
    events.onOffline();
    feed.disconnected();
    if (signal.aborted) return;
    log.info('account.disconnected', { code: close.code });
    const message = say('server.connectionLost');
    events.onState('offline', appError('unavailable', message));
  }
}

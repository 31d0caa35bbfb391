/**
 * Keeps one account connected: subkey, socket, catch-up, live frames, and reconnects with back-off and jitter
 * (1 s to 60 s, reset after a successful handshake). After the machine slept it retries at once.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import type { Connection as ConnectionState } from '../../contract/model.ts';
import { backoffMs } from '../../core/lib/backoff.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, CryptoEngine, Log, Random } from '../../core/ports.ts';
import type { Session } from '../../core/puffo/identity.ts';
import type { ServerFrame } from '../../core/puffo/wire.ts';
import type { ServerDirectory } from './directory.ts';
import type { Intake } from './intake.ts';
import { plainError, type RequestError } from './request-error.ts';
import { openSocket, type PuffoSocket } from './socket.ts';
import type { Subkeys } from './subkeys.ts';

export interface ConnectionDeps {
  readonly slug: string;
  readonly directory: ServerDirectory;
  readonly subkeys: Subkeys;
  readonly intake: Intake;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signal: AbortSignal;
  onState(state: ConnectionState, detail: AppError | null): void;
  onOnline(greeting: ServerFrame): void;
  onOffline(): void;
  /** Called if another program is connected as this identity: it may have sent what is queued here. */
  onHeldElsewhere(): void;
  /** Called for every frame that is not a message. */
  onFrame(frame: ServerFrame): void;
}

const reconnectPolicy = { firstMs: 1_000, maxMs: 60_000 };

/** Waiting alone will not help: the server or the config refuses. */
const blocks = (error: AppError): boolean =>
  ['unauthenticated', 'forbidden', 'invalid_input', 'untrusted', 'held'].includes(error.code);

export class ServerConnection {
  readonly #deps: ConnectionDeps;
  #socket: PuffoSocket | null = null;
  #nap: AbortController | null = null;
  readonly #instance: string;
  #held = false;
  /**
   * True if the last attempt was refused: the state stays `blocked` until that changes, and does not flicker
   * with each attempt.
   */
  #blocked = false;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#instance = deps.random.uuid();
  }

  /** Resolves once the signal aborted and nothing runs any more. */
  async run(): Promise<void> {
    const { signal, directory } = this.#deps;
    const stopListening = directory.wheel.onWake(() => this.#woke());
    let attempt = 0;
    while (!signal.aborted) {
      if (!this.#blocked) this.#deps.onState('connecting', null);
      const greeted = await this.#once();
      if (signal.aborted) break;
      attempt = greeted ? 0 : attempt + 1;
      await this.#wait(backoffMs(reconnectPolicy, Math.max(0, attempt - 1), this.#deps.random.fraction()));
    }
    stopListening();
    this.#deps.onState('offline', null);
  }

  #woke(): void {
    this.#nap?.abort();
    this.#socket?.probe();
  }

  async #wait(ms: number): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    const stop = (): void => nap.abort();
    this.#deps.signal.addEventListener('abort', stop, { once: true });
    await sleep(this.#deps.clock, ms, nap.signal);
    this.#deps.signal.removeEventListener('abort', stop);
    this.#nap = null;
  }

  /** Runs one connection from subkey to close; returns true if the server greeted. */
  async #once(): Promise<boolean> {
    const socket = await this.#deps.directory.connecting(() => this.#greet());
    if (socket === null) return false;
    await this.#live(socket);
    return true;
  }

  /** Returns `null` after a failure, which it has reported. */
  async #greet(): Promise<PuffoSocket | null> {
    const { subkeys, signal } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return this.#failed(session.error);
    if (signal.aborted) return null;
    const socket = await this.#open(session.value);
    if (socket.ok) return socket.value;
    if (socket.error.code !== 'unauthenticated' || signal.aborted) return this.#failed(socket.error);
    const renewed = await subkeys.refused(session.value);
    return this.#failed(renewed.ok ? socket.error : renewed.error, renewed.ok);
  }

  /** `mending` is true if a new subkey was made, so the next attempt may succeed. */
  #failed(error: RequestError, mending = false): null {
    if (error.code === 'held') this.#yield();
    this.#blocked = blocks(error) && !mending;
    const state = this.#blocked ? 'blocked' : 'offline';
    this.#deps.log.info('account.not_connected', { code: error.code, state });
    if (!this.#deps.signal.aborted) this.#deps.onState(state, plainError(error));
    return null;
  }

  #yield(): void {
    this.#held = true;
    this.#deps.onHeldElsewhere();
  }

  #open(session: Session): ReturnType<typeof openSocket> {
    const { slug, directory, crypto, clock, random, log, signal, intake } = this.#deps;
    const options = {
      url: directory.transport.socketUrl('/subscribe'),
      slug,
      session,
      crypto,
      clock,
      random,
      wheel: directory.wheel,
      instance: this.#instance,
      onFrame: (frame: ServerFrame, bytes: number) => {
        if (frame.type === 'message') intake.offer(frame.envelope, bytes);
        else this.#deps.onFrame(frame);
      },
      onOddFrame: (why: string) => log.warn('account.odd_frame', { why }),
    };
    return openSocket(options, signal);
  }

  async #live(socket: PuffoSocket): Promise<void> {
    this.#socket = socket;
    // Covers messages queued since the last check, while the other program was still connected.
    if (this.#held) this.#deps.onHeldElsewhere();
    this.#held = false;
    this.#blocked = false;
    this.#deps.onState('online', null);
    this.#deps.intake.connected(socket);
    this.#deps.onOnline(socket.greeting);
    const close = await socket.closed;
    this.#socket = null;
    this.#deps.onOffline();
    this.#deps.intake.disconnected();
    if (this.#deps.signal.aborted) return;
    this.#deps.log.info('account.disconnected', { code: close.code });
    const message = 'The connection to the server ended; it is being made again.';
    this.#deps.onState('offline', appError('unavailable', message));
  }
}

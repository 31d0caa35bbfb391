/**
 * One live WebSocket to a Puffo server (spec §2.5): signed handshake within five seconds, immediate pongs,
 * and a silent peer is disconnected within 45 s.
 */
import { WebSocket } from 'ws';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, CryptoEngine, Random, Timer } from '../../core/ports.ts';
import type { Session } from '../../core/puffo/identity.ts';
import { maxWsFrameBytes, type ServerFrame, serverFrameSchema } from '../../core/puffo/wire.ts';
import { signConnect } from '../../core/puffo/ws-connect.ts';
import { say } from '../../language/say.ts';
import { parseJson } from './parse-json.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { Wheel } from './timer-wheel.ts';

export interface SocketClose {
  readonly code: number;
  readonly reason: string;
}

export interface PuffoSocket {
  /** The server's `connected` frame. */
  readonly greeting: ServerFrame;
  acknowledge(envelopeIds: readonly string[]): void;
  /** Pings the server; closes if nothing arrives within 5 s. */
  probe(): void;
  close(): void;
  readonly closed: Promise<SocketClose>;
}

export interface SocketOptions {
  readonly url: string;
  readonly slug: string;
  readonly session: Session;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly wheel: Wheel;
  /**
   * Identifies this process: a server that knows the member lets one at a time connect as an identity (F18).
   */
  readonly instance: string;
  /** Called for every frame but ping and pong, in order; `bytes` is its size on the wire. */
  onFrame(frame: ServerFrame, bytes: number): void;
  /** Called for a frame that has no known format. */
  onOddFrame(why: string): void;
}

const handshakeMs = 5_000;
/**
 * Sends a ping after this much silence and disconnects after another 10 s without data: together under 45 s.
 */
const quietMs = 28_000;
const deadAfterPingMs = 10_000;
const probeMs = 5_000;

/** Close codes that refuse this subkey or slug (policy violation; 4xxx are the server's own). */
const refusesUs = (code: number): boolean => code === 1008 || code === 4401 || code === 4403;

/**
 * The ping of the relay, and the answer. An idle account receives nothing else, so these bytes are recognised
 * without parsing. `ws` masks a buffer into one piece, and writes a string in two.
 */
const pingBytes = Buffer.from('{"type":"ping"}');
const pongBytes = Buffer.from('{"type":"pong"}');

const textOf = (data: unknown): string | null => (Buffer.isBuffer(data) ? data.toString('utf8') : null);

function parseFrame(text: string): Result<ServerFrame, string> {
  const parsed = parseJson(text);
  if (!parsed.ok) return err('not_json');
  const frame = serverFrameSchema.safeParse(parsed.value);
  return frame.success ? ok(frame.data) : err('unknown_form');
}

/** Detects silence: any received byte resets it; an unanswered ping closes the socket. */
class Lifeline {
  readonly #options: SocketOptions;
  readonly #socket: WebSocket;
  #heardAt: number;
  #alarm: Timer | null = null;

  constructor(options: SocketOptions, socket: WebSocket) {
    this.#options = options;
    this.#socket = socket;
    this.#heardAt = options.clock.monotonic();
    this.#alarm = options.wheel.after(quietMs, () => this.#check());
  }

  heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
  }

  ping(withinMs: number): void {
    const askedAt = this.#options.clock.monotonic();
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.ping();
    this.#alarm?.cancel();
    this.#alarm = this.#options.wheel.after(withinMs, () => {
      if (this.#heardAt < askedAt) this.#socket.terminate();
      else this.#check();
    });
  }

  stop(): void {
    this.#alarm?.cancel();
    this.#alarm = null;
  }

  #check(): void {
    const silent = this.#options.clock.monotonic() - this.#heardAt;
    if (silent >= quietMs) this.ping(deadAfterPingMs);
    else this.#alarm = this.#options.wheel.after(quietMs - silent, () => this.#check());
  }
}

function connectFrame(options: SocketOptions): string {
  const { slug, session, clock, crypto, random, instance } = options;
  return JSON.stringify({ ...signConnect(crypto, { slug, session }, clock.now(), random), instance });
}

function whyClosed(close: SocketClose): RequestError {
  if (refusesUs(close.code)) {
    const said = close.reason === '' ? '' : `: ${close.reason}`;
    return noAnswer('unauthenticated', say('server.connectionRefused', { said }));
  }
  return noAnswer('unavailable', say('server.connectionClosed', { code: close.code }));
}

const heldElsewhere = say('server.connectedElsewhere');

/** Some servers send a reason before they close. */
function whyNotGreeted(frame: ServerFrame | null): RequestError {
  if (frame?.type !== 'error') return noAnswer('protocol', say('server.handshakeFailed'));
  if (frame.error === 'DEVICE_BUSY') return noAnswer('held', heldElsewhere);
  const said = [frame.error, frame.message].filter((text) => typeof text === 'string').join(': ');
  const code = /unauth|forbidden|\b40[13]\b/i.test(said) ? 'unauthenticated' : 'unavailable';
  return noAnswer(code, say('server.handshakeRefused', { said: said.slice(0, 200) }));
}

/** A greeted socket. A class, because a host keeps one for each agent. */
class LiveSocket implements PuffoSocket {
  readonly greeting: ServerFrame;
  readonly closed: Promise<SocketClose>;
  readonly #options: SocketOptions;
  readonly #socket: WebSocket;
  readonly #lifeline: Lifeline;

  constructor(
    options: SocketOptions,
    socket: WebSocket,
    { greeting, closed }: Pick<PuffoSocket, 'greeting' | 'closed'>,
  ) {
    this.#options = options;
    this.#socket = socket;
    this.greeting = greeting;
    this.closed = closed;
    this.#lifeline = new Lifeline(options, socket);
    const heard = (): void => this.#lifeline.heard();
    socket.on('pong', heard);
    socket.on('ping', heard);
    socket.on('message', (data: unknown, isBinary: boolean) => this.#receive(isBinary ? null : data));
    socket.once('close', () => this.#lifeline.stop());
  }

  acknowledge(ids: readonly string[]): void {
    if (this.#socket.readyState !== WebSocket.OPEN || ids.length === 0) return;
    this.#socket.send(JSON.stringify({ type: 'ack', envelope_ids: ids }));
  }

  probe(): void {
    this.#lifeline.ping(probeMs);
  }

  close(): void {
    endSocket(this.#socket, this.#options.clock);
  }

  #receive(data: unknown): void {
    this.#lifeline.heard();
    if (Buffer.isBuffer(data) && data.equals(pingBytes)) this.#pong();
    else this.#take(textOf(data));
  }

  #pong(): void {
    this.#socket.send(pongBytes, { binary: false });
  }

  #take(text: string | null): void {
    const frame = text === null ? err('not_text') : parseFrame(text);
    if (!frame.ok) this.#options.onOddFrame(frame.error);
    else if (frame.value.type === 'ping') this.#pong();
    else this.#options.onFrame(frame.value, text?.length ?? 0);
  }
}

/** Closes politely without waiting for the other side's close frame. */
function endSocket(socket: WebSocket, clock: Clock): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  socket.close(1000);
  clock.after(500, () => socket.terminate(), { unref: true });
}

const unreachable = (error: NodeJS.ErrnoException): RequestError =>
  noAnswer(
    'unavailable',
    say('server.serverUnreachableCode', { code: error.code ?? error.message.slice(0, 100) }),
  );

/**
 * Signs in, and calls `live` with the greeting in the same step, because further frames may follow at once.
 * The listeners of the handshake are removed: an idle agent keeps its socket for days.
 */
function handshake<T>(
  socket: WebSocket,
  options: SocketOptions,
  live: (greeting: ServerFrame) => T,
): Promise<Result<T, RequestError>> {
  return new Promise((resolve) => {
    let failure: RequestError | null = null;
    const onError = (error: Error): void => {
      failure ??= unreachable(error);
    };
    const onClose = (code: number, reason: Buffer): void => {
      timer.cancel();
      resolve(err(failure ?? whyClosed(closeOf(code, reason))));
    };
    const timer = options.clock.after(handshakeMs, () => {
      failure ??= noAnswer('timeout', say('server.handshakeTimeout'));
      socket.terminate();
    });
    socket.on('error', onError);
    socket.once('close', onClose);
    socket.once('open', () => socket.send(connectFrame(options)));
    socket.once('message', (data: unknown, isBinary: boolean) => {
      const frame = parseFrame((isBinary ? null : textOf(data)) ?? '');
      if (frame.ok && frame.value.type === 'connected') {
        timer.cancel();
        socket.off('error', onError);
        socket.off('close', onClose);
        resolve(ok(live(frame.value)));
      } else {
        failure ??= whyNotGreeted(frame.ok ? frame.value : null);
        socket.terminate();
      }
    });
  });
}

const closeOf = (code: number, reason: Buffer): SocketClose => ({
  code,
  reason: reason.toString('utf8').slice(0, 200),
});

/** `close` follows every error and reports it. */
const ignoreError = (): void => undefined;

/**
 * Resolves once the server has greeted; afterwards `closed` resolves at the end. Aborting closes at any time.
 */
export function openSocket(
  options: SocketOptions,
  signal: AbortSignal,
): Promise<Result<PuffoSocket, RequestError>> {
  const socket = new WebSocket(options.url, {
    perMessageDeflate: false,
    maxPayload: maxWsFrameBytes,
    followRedirects: false,
  });
  socket.on('error', ignoreError);
  const abort = (): void => endSocket(socket, options.clock);
  signal.addEventListener('abort', abort, { once: true });
  const closed = new Promise<SocketClose>((resolve) => {
    socket.once('close', (code, reason) => {
      signal.removeEventListener('abort', abort);
      resolve(closeOf(code, reason));
    });
  });
  const greeted = handshake(
    socket,
    options,
    (greeting) => new LiveSocket(options, socket, { greeting, closed }),
  );
  if (signal.aborted) abort();
  return greeted;
}

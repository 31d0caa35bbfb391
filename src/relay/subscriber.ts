/**
 * One WebSocket (spec §2.5): a signed connect frame within five seconds, then live frames out, pongs and
 * acknowledgements in. A peer that misses two pings, sends invalid frames or reads too slowly is
 * disconnected; unacknowledged messages stay in its queue.
 */

import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { errorText, messageOf } from '../contract/errors.ts';
import { ok } from '../contract/result.ts';
import { parseGuardedJson } from '../core/lib/guarded-json.ts';
import type { Timer } from '../core/ports.ts';
import { readConnect, verifyConnect } from '../core/puffo/ws-connect.ts';
import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import type { RequestAuthDeps } from './authenticate.ts';
import type { RelayContext } from './context.ts';
import type { Rival } from './duplicate-connections.ts';
import type { SubscriberConnection } from './live-connections.ts';
import type { RateLimit } from './rate-limit.ts';
import { textMembers } from './refusal.ts';
import { deviceSignerOf, signerOf } from './signers.ts';

export const closeCodes = {
  unauthorized: 4401,
  rival: 4409,
  tooSlow: 4408,
  tooMany: 4429,
  nonsense: 4400,
} as const;

export interface SubscriberDeps {
  readonly context: RelayContext;
  readonly auth: RequestAuthDeps;
  readonly requests: RateLimit;
  connected(subscriber: Subscriber): void;
  gone(subscriber: Subscriber): void;
}

const ackSchema = z.object({ envelope_ids: z.array(z.string().max(200)).max(1000) });
const frameSchema = z.looseObject({ type: z.string().max(60) });
const maxOddFrames = 20;

/** Kennel's own member of the connect frame: identifies the process of the client. */
const instanceOf = ({ instance }: Readonly<Record<string, unknown>>): string | null =>
  typeof instance === 'string' && instance !== '' && instance.length <= 64 ? instance : null;

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

export class Subscriber implements SubscriberConnection, Rival {
  slug = '';
  deviceId = '';
  instance: string | null = null;
  agent = false;
  #challenges: (() => void)[] = [];
  #signedUntil: number | null = null;
  #missed = 0;
  #odd = 0;
  #handshake: Timer | null;
  readonly #socket: WebSocket;
  readonly wire: Duplex;
  #strangerBytes = 0;
  #gathering = false;
  readonly #deps: SubscriberDeps;

  /** `wire` is the connection below the WebSocket. */
  constructor(socket: WebSocket, wire: Duplex, deps: SubscriberDeps) {
    this.#socket = socket;
    this.wire = wire;
    this.#deps = deps;
    this.#handshake = deps.context.clock.after(
      deps.context.limits.handshakeMs,
      () => this.close(closeCodes.unauthorized, 'no connect frame'),
      { unref: true },
    );
    wire.on('data', this.#countStranger);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#closed());
    // `ws` closes by itself after an error, with the right code (1009 for a frame that is too large).
    socket.on('error', () => {});
  }

  get online(): boolean {
    return this.slug !== '';
  }

  /** Terminates a peer that sends more than a connect frame before it has authenticated. */
  readonly #countStranger = (piece: Buffer): void => {
    this.#strangerBytes += piece.length;
    if (this.#strangerBytes > this.#deps.context.limits.strangerBytes) this.#socket.terminate();
  };

  send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#deps.context.limits.wsBacklogBytes) {
      this.#socket.terminate();
      return;
    }
    this.#gather();
    this.#socket.send(frame);
  }

  /** Sends all frames of one tick in one write. */
  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.wire.cork();
    process.nextTick(() => {
      this.#gathering = false;
      this.wire.uncork();
    });
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    // A peer that never answers the closing handshake must not stay.
    this.#deps.context.clock.after(5_000, () => this.#socket.terminate(), { unref: true });
  }

  terminate(): void {
    this.#socket.terminate();
  }

  challenge(alive: () => void): void {
    this.#challenges.push(alive);
    this.send('{"type":"ping"}');
  }

  /** Reports that the identity is connected from another program, and disconnects. */
  yieldToRival(): void {
    const message = say('relay.connectedElsewhere');
    this.send(JSON.stringify({ type: 'error', error: 'DEVICE_BUSY', ...textMembers(message) }));
    this.close(closeCodes.rival, 'another program is connected as this identity');
  }

  /** Called once per ping period. */
  ping(): void {
    const { clock, limits, store } = this.#deps.context;
    const now = clock.now();
    const ended = this.#signedUntil !== null && this.#signedUntil <= now;
    if (this.#missed >= limits.missedPings) this.#socket.terminate();
    else if (ended || !deviceSignerOf(store.people, this.deviceId, now)) {
      this.close(closeCodes.unauthorized, 'the key has ended');
    } else {
      this.#missed += 1;
      this.send('{"type":"ping"}');
    }
  }

  #closed(): void {
    this.#handshake?.cancel();
    this.#deps.gone(this);
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#missed = 0;
    for (const alive of this.#challenges.splice(0)) alive();
    const parsed = isBinary
      ? ({ ok: false, why: say('relay.framesAreText') } as const)
      : parseGuardedJson(bytesOf(data), this.#deps.context.limits.jsonDepth);
    if (!this.online) this.#connect(parsed.ok ? parsed.value : null);
    else if (!this.#deps.requests.take(this.slug)) this.close(closeCodes.tooMany, 'too many frames');
    else if (parsed.ok) this.#handle(parsed.value);
    else this.#refuse(parsed.why);
  }

  #connect(raw: unknown): void {
    const problem = this.#admit(raw);
    if (problem === null) {
      this.#handshake?.cancel();
      this.#handshake = null;
      this.wire.off('data', this.#countStranger);
      this.#deps.connected(this);
      return;
    }
    this.send(JSON.stringify({ type: 'error', error: 'UNAUTHORIZED', ...textMembers(problem) }));
    this.close(closeCodes.unauthorized, 'unauthorized');
  }

  /** Returns `null` if the frame authenticates the client, else the reason for the refusal. */
  #admit(raw: unknown): HostText | null {
    const { people, crypto, clock, replays } = this.#deps.auth;
    const frame = readConnect(raw);
    if (!frame.ok) return messageOf(frame.error);
    const now = clock.now();
    const signer = signerOf(people, frame.value.subkey_id, now);
    if (signer?.slug !== frame.value.slug) return say('relay.connectKeyEnded');
    const held = verifyConnect(crypto, frame.value, signer.publicKey, now);
    if (!held.ok) return messageOf(held.error);
    if (!replays.takeOnce(signer.slug, frame.value.nonce, now)) return say('relay.connectFrameUsed');
    this.slug = signer.slug;
    this.deviceId = signer.deviceId;
    this.instance = instanceOf(frame.value);
    this.agent = people.identity(signer.slug)?.identityType === 'agent';
    this.#signedUntil = signer.expiresAt;
    return null;
  }

  #handle(value: unknown): void {
    const frame = frameSchema.safeParse(value);
    if (!frame.success) this.#refuse(say('relay.frameMalformed'));
    else if (frame.data.type === 'ping') this.send('{"type":"pong"}');
    else if (frame.data.type === 'ack') this.#acknowledge(frame.data);
    else if (frame.data.type !== 'pong')
      this.#refuse(say('relay.frameTypeUnknown', { type: frame.data.type }));
  }

  #acknowledge(frame: unknown): void {
    const ack = ackSchema.safeParse(frame);
    if (!ack.success) {
      this.#refuse(say('relay.ackTooLarge'));
      return;
    }
    const { context } = this.#deps;
    void context.queue
      .run(() => ok(context.store.mail.acknowledge(this.deviceId, ack.data.envelope_ids)))
      .catch((error: unknown) => {
        // The rows stay queued and are sent again with the next catch-up.
        context.log.error('relay.ack_failed', {
          message: errorText(error),
        });
      });
  }

  #refuse(message: HostText): void {
    this.#odd += 1;
    if (this.#odd > maxOddFrames) this.close(closeCodes.nonsense, 'too many odd frames');
    else this.send(JSON.stringify({ type: 'error', error: 'InvalidInput', ...textMembers(message) }));
  }
}

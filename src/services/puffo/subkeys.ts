/**
 * Keeps an account's signing subkey registered with the server: created on demand, renewed five minutes
 * before it expires, and replaced at a limited rate if the server refuses it. Rotations never overlap.
 */
import { err, ok, type Result } from '../../contract/result.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, CryptoEngine, Log } from '../../core/ports.ts';
import { createSession, type Identity, type Session } from '../../core/puffo/identity.ts';
import { say } from '../../language/say.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedRequests } from './signed-requests.ts';

export interface SessionFile {
  load(): Session | null;
  save(session: Session): void;
}

export interface SubkeyDeps {
  readonly identity: Identity;
  readonly sessions: SessionFile;
  readonly requests: SignedRequests;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly log: Log;
}

const renewBeforeMs = 5 * 60_000;
/** Waits in ms before each attempt to register a subkey (spec §2.1). */
const registerWaitsMs = [0, 250, 750, 1_500];
/** Minimum ms between forced rotations, so that a server that refuses everything costs little. */
const forcedSpacingMs = 60_000;

export class Subkeys {
  readonly #deps: SubkeyDeps;
  /** `undefined` until the file was read. */
  #session: Session | null | undefined;
  #rotating: Promise<Result<Session, RequestError>> | null = null;
  #registeredAt = Number.NEGATIVE_INFINITY;
  #forcedAt = Number.NEGATIVE_INFINITY;
  /** The error of the last rotation, or `null` if it succeeded. */
  #lastRefusal: RequestError | null = null;

  constructor(deps: SubkeyDeps) {
    this.#deps = deps;
  }

  /** The current subkey, created or renewed first if due. */
  async current(): Promise<Result<Session, RequestError>> {
    if (this.#rotating) return this.#rotating;
    if (this.#session === undefined) this.#session = this.#deps.sessions.load();
    const session = this.#session;
    if (session && session.expiresAt > this.#deps.clock.now() + renewBeforeMs) return ok(session);
    return this.#rotateOnce();
  }

  /**
   * The server refused `used` with 401. Resolves with the subkey to try next, or with the refusal if a new
   * subkey was made so recently that another would not help.
   */
  async refused(used: Session): Promise<Result<Session, RequestError>> {
    const { clock, requests } = this.#deps;
    if (this.#rotating) return this.#rotating;
    if (this.#session && this.#session.subkeyId !== used.subkeyId) return ok(this.#session);
    if (clock.monotonic() - this.#forcedAt < forcedSpacingMs) {
      const why = requests.clockComplaint();
      if (why === null && this.#lastRefusal?.code === 'unauthenticated') return err(this.#lastRefusal);
      return err(noAnswer('unauthenticated', why ?? say('server.deviceNotAccepted')));
    }
    this.#forcedAt = clock.monotonic();
    return this.#rotateOnce();
  }

  /** ms since the subkey was registered; a recent one may not have replicated on the server's side yet. */
  ageMs(): number {
    return this.#deps.clock.monotonic() - this.#registeredAt;
  }

  #rotateOnce(): Promise<Result<Session, RequestError>> {
    this.#rotating ??= this.#rotate()
      .then((made) => {
        this.#lastRefusal = made.ok ? null : made.error;
        return made;
      })
      .finally(() => {
        this.#rotating = null;
      });
    return this.#rotating;
  }

  async #rotate(): Promise<Result<Session, RequestError>> {
    const { identity, sessions, crypto, clock, log } = this.#deps;
    let last: RequestError = noAnswer('unauthenticated', say('server.deviceRefused'));
    let madeAt = Number.POSITIVE_INFINITY;
    let next: Session | null = null;
    for (const wait of registerWaitsMs) {
      await sleep(clock, wait);
      // The server refuses a certificate from the future; after the clock was set back, a new one is made
      // (F8).
      if (next === null || madeAt > clock.now()) {
        madeAt = clock.now();
        next = createSession(crypto, identity.secrets, identity.deviceId, madeAt);
      }
      const answer = await this.#register(next);
      if (answer.ok) {
        this.#session = next;
        this.#registeredAt = clock.monotonic();
        sessions.save(next);
        log.debug('subkey.rotated', { expiresAt: next.expiresAt });
        return ok(next);
      }
      last = answer.error;
      const again = last.status === 401 || last.serverCode === 'DEVICE_NOT_FOUND' || madeAt > clock.now();
      if (!again) break;
    }
    return err(last);
  }

  async #register(next: Session): Promise<Result<unknown, RequestError>> {
    const { identity, requests } = this.#deps;
    const body = new TextEncoder().encode(JSON.stringify({ subkey_cert: next.cert }));
    const signer = {
      slug: identity.slug,
      signerId: identity.deviceId,
      secret: identity.secrets.deviceSigning,
    };
    return requests.read(await requests.send({ method: 'POST', target: '/devices/subkeys', body }, signer));
  }
}

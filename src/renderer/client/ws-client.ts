/**
 * Host client over the loopback WebSocket. The first frame proves the session, and nothing else is sent
 * before the host's welcome. It reconnects with exponential back-off and jitter and subscribes again to all
 * wanted topics; calls in flight at a disconnect end as `unavailable`. It stops retrying if the browser is
 * signed out.
 */

import { textError } from '../../contract/errors.ts';
import { type ClientFrame, hostFrameSchema } from '../../contract/frames.ts';
import type { FeedSink } from '../../contract/host-api.ts';
import {
  type HelloFrame,
  lockedCode,
  lockedFrameSchema,
  type SessionFrame,
  signedOutCode,
  type UnlockFrame,
  welcomeFrameSchema,
} from '../../contract/page-session.ts';
import { err, type Result } from '../../contract/result.ts';
import { t } from '../../language/texts.ts';
import type { HostLink, LinkState } from './link.ts';
import type { PageSession } from './page-session.ts';

const firstPauseMs = 250;
const longestPauseMs = 5000;
/** Minimum interval between reports of user activity, in ms. */
const activeEveryMs = 60_000;

interface Wanted {
  readonly topic: string;
  readonly sink: FeedSink;
}

const lineLost = (): Result<never> =>
  err(
    textError('unavailable', t('states.noAnswer'), {
      hint: t('states.noAnswerHint'),
    }),
  );

class WsLink {
  private socket: WebSocket | null = null;
  private state: LinkState = 'connecting';
  private attempt = 0;
  private nextId = 1;
  private welcomed = false;
  /** The page was welcomed at least once, so it may hold data. */
  private hasOpened = false;
  private unlocking: ((result: Result<unknown>) => void) | null = null;
  private activeAt = Number.NEGATIVE_INFINITY;
  private readonly url: string;
  private readonly session: PageSession;
  /** Ends this page at a lock. */
  private readonly leave: () => void;
  private readonly pending = new Map<number, (result: Result<unknown>) => void>();
  private readonly wanted = new Map<number, Wanted>();
  private readonly listeners = new Set<(state: LinkState) => void>();

  constructor(url: string, session: PageSession, leave: () => void) {
    this.url = url;
    this.session = session;
    this.leave = leave;
    session.onSignIn(() => {
      if (this.state === 'signedOut') this.open();
    });
    this.open();
  }

  /** Reports user activity, so that the session does not count as idle. */
  active(): void {
    if (performance.now() - this.activeAt < activeEveryMs) return;
    if (this.send({ type: 'active' })) this.activeAt = performance.now();
  }

  signOut(): void {
    this.send({ type: 'sign-out' });
    this.session.forget();
  }

  /** The welcome after the unlock, or the next frame with an error, resolves it. */
  unlock(passphrase: string): Promise<Result<unknown>> {
    this.unlocking?.(lineLost());
    return new Promise((resolve) => {
      this.unlocking = resolve;
      if (this.state !== 'locked' || this.socket?.readyState !== WebSocket.OPEN)
        return this.unlocked(lineLost());
      this.socket.send(JSON.stringify({ type: 'unlock', passphrase } satisfies UnlockFrame));
    });
  }

  private unlocked(result: Result<unknown>): void {
    this.unlocking?.(result);
    this.unlocking = null;
  }

  call(method: string, input: unknown): Promise<Result<unknown>> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      if (!this.send({ type: 'call', id, method, input })) this.settle(id, lineLost());
    });
  }

  subscribe(topic: string, sink: FeedSink): () => void {
    const id = this.nextId++;
    this.wanted.set(id, { topic, sink });
    this.send({ type: 'subscribe', id, topic });
    return () => {
      if (this.wanted.delete(id)) this.send({ type: 'unsubscribe', id });
    };
  }

  onState(listener: (state: LinkState) => void): () => void {
    this.listeners.add(listener);
    listener(this.state);
    return () => this.listeners.delete(listener);
  }

  private open(): void {
    const hello = this.session.hello();
    if (hello === null) {
      this.become('signedOut');
      return;
    }
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify(hello satisfies HelloFrame)));
    socket.addEventListener('message', (event) => this.received(event.data));
    socket.addEventListener('close', ({ code }) => this.closed(code));
  }

  private opened(secret: string): void {
    this.session.keep(secret);
    this.welcomed = true;
    this.hasOpened = true;
    this.attempt = 0;
    for (const [id, want] of this.wanted) this.send({ type: 'subscribe', id, topic: want.topic });
    this.become('up');
  }

  private closed(code: number): void {
    this.socket = null;
    this.welcomed = false;
    this.unlocked(lineLost());
    for (const id of [...this.pending.keys()]) this.settle(id, lineLost());
    if (code === lockedCode) {
      this.leave();
      return;
    }
    if (code === signedOutCode) {
      this.session.forget();
      // The one-time link was already used, but the stored session can open the page.
      this.open();
      return;
    }
    this.become('lost');
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.attempt++, 10));
    setTimeout(() => this.open(), longest / 2 + Math.random() * (longest / 2));
  }

  private received(data: unknown): void {
    if (!this.welcomed) {
      const first = parseJson(data);
      const welcome = welcomeFrameSchema.safeParse(first);
      if (welcome.success) {
        this.opened(welcome.data.session);
        this.unlocked({ ok: true, value: {} });
        return;
      }
      const locked = lockedFrameSchema.safeParse(first);
      if (!locked.success) return;
      // The lock came while this page had no connection.
      if (this.hasOpened) {
        this.leave();
        return;
      }
      this.become('locked');
      if (locked.data.error !== undefined) this.unlocked({ ok: false, error: locked.data.error });
      return;
    }
    const frame = hostFrameSchema.safeParse(parseJson(data));
    if (!frame.success) return;
    if (frame.data.type === 'result') this.settle(frame.data.id, frame.data.result as Result<unknown>);
    else this.wanted.get(frame.data.id)?.sink(frame.data.event);
  }

  private settle(id: number, result: Result<unknown>): void {
    const resolve = this.pending.get(id);
    this.pending.delete(id);
    resolve?.(result);
  }

  private send(frame: ClientFrame | SessionFrame): boolean {
    if (!this.welcomed || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  private become(state: LinkState): void {
    if (this.state === state) return;
    this.state = state;
    for (const listener of this.listeners) listener(state);
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null;
  } catch {
    return null;
  }
}

interface WsClientOptions {
  readonly url: string;
  readonly session: PageSession;
  readonly page: Window;
}

export function createWsClient({ url, session, page }: WsClientOptions): HostLink {
  const link = new WsLink(url, session, () => {
    // The page starts again, so that nothing of it stays in the document or in memory.
    page.document.body.replaceChildren();
    page.location.reload();
  });
  for (const event of ['pointerdown', 'keydown'] as const)
    page.addEventListener(event, () => link.active(), { capture: true, passive: true });
  return {
    // The host validates its output against the method table, and the frame was parsed above, so the cast
    // holds.
    call: ((method: string, input: unknown) => link.call(method, input)) as HostLink['call'],
    subscribe: (topic, sink) => link.subscribe(topic, sink),
    onState: (listener) => link.onState(listener),
    signOut: () => link.signOut(),
    unlock: (passphrase) => link.unlock(passphrase),
  };
}

/**
 * A host in another process, reached over its socket with the HostApi of an own host. After a reconnect, open
 * topics are subscribed again; calls while disconnected are refused, and no call is repeated.
 */

import { textError } from '../contract/errors.ts';
import { fail } from '../contract/fail.ts';
import { type ClientFrame, hostFrameSchema } from '../contract/frames.ts';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import type { Principal } from '../contract/method-row.ts';
import { isMethodName, methods } from '../contract/methods.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { isTopicName } from '../contract/topics.ts';
import { t } from '../language/texts.ts';

export interface HostLine {
  /** Process id of the host, or `null` if unknown. */
  readonly pid: number | null;
  send(text: string): void;
  close(): void;
}

interface LineEnds {
  onText(text: string): void;
  onClose(): void;
}

/** Resolves to `null` if no host answers. */
export type OpenLine = (ends: LineEnds) => Promise<HostLine | null>;

export type LineState = 'up' | 'lost';

export interface RemoteHost extends HostApi {
  pid(): number | null;
  /** Reports every change after the first connection. */
  onState(listener: (state: LineState) => void): void;
  /** Disconnects; the host keeps running. */
  close(): void;
}

const retryMs = { first: 150, most: 2000 } as const;

const lost = () =>
  err(
    textError('unavailable', t('shell.hostLost'), {
      hint: t('shell.hostLostHint'),
    }),
  );

/** The socket treats this client as the command line, which may pass paths; a page may not. */
function checkBudget(principal: Principal, method: string): Result<unknown> {
  if (!isMethodName(method)) return err(fail('not_found', 'host.unknownMethod', { method }));
  if (methods[method].callers.includes(principal.kind)) return ok({});
  return err(fail('forbidden', 'host.callNotAllowed', { method }));
}

class SocketHost implements RemoteHost {
  readonly #open: OpenLine;
  readonly #waiting = new Map<number, (result: Result<unknown>) => void>();
  readonly #feeds = new Map<number, { readonly topic: string; readonly sink: FeedSink }>();
  #line: HostLine | null = null;
  #listener: (state: LineState) => void = () => {};
  #lastId = 0;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(open: OpenLine) {
    this.#open = open;
  }

  async connect(): Promise<boolean> {
    const line = await this.#open({
      onText: (text) => this.#onText(text),
      onClose: () => this.#onClose(),
    });
    if (this.#closed) line?.close();
    else this.#line = line;
    return this.#line !== null;
  }

  pid(): number | null {
    return this.#line?.pid ?? null;
  }

  onState(listener: (state: LineState) => void): void {
    this.#listener = listener;
  }

  call(principal: Principal, method: string, input: unknown): Promise<Result<unknown>> {
    const allowed = checkBudget(principal, method);
    if (!allowed.ok) return Promise.resolve(allowed);
    if (this.#line === null) return Promise.resolve(lost());
    const id = this.#nextId();
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ type: 'call', id, method, input });
    });
  }

  subscribe(_principal: Principal, topic: string, sink: FeedSink): Result<() => void> {
    if (!isTopicName(topic)) return err(fail('not_found', 'host.unknownTopic', { topic }));
    const id = this.#nextId();
    this.#feeds.set(id, { topic, sink });
    this.#send({ type: 'subscribe', id, topic });
    return ok(() => {
      if (this.#feeds.delete(id)) this.#send({ type: 'unsubscribe', id });
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#line?.close();
    this.#line = null;
    this.#refuseWaiting();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #send(frame: ClientFrame): void {
    this.#line?.send(JSON.stringify(frame));
  }

  #onText(text: string): void {
    const frame = parseFrame(text);
    if (frame === null) this.#line?.close();
    else if (frame.type === 'event') this.#feeds.get(frame.id)?.sink(frame.event);
    else {
      this.#waiting.get(frame.id)?.(frame.result as Result<unknown>);
      this.#waiting.delete(frame.id);
    }
  }

  #onClose(): void {
    if (this.#line === null) return;
    this.#line = null;
    this.#refuseWaiting();
    if (this.#closed) return;
    this.#listener('lost');
    this.#again(retryMs.first);
  }

  #refuseWaiting(): void {
    for (const answer of this.#waiting.values()) answer(lost());
    this.#waiting.clear();
  }

  #again(delay: number): void {
    this.#retry = setTimeout(async () => {
      const up = await this.connect();
      if (this.#closed) return;
      if (!up) return this.#again(Math.min(delay * 2, retryMs.most));
      // Each topic sends a fresh snapshot, so missed events need no replay.
      for (const [id, { topic }] of this.#feeds) this.#send({ type: 'subscribe', id, topic });
      this.#listener('up');
    }, delay);
    this.#retry.unref();
  }
}

function parseFrame(text: string) {
  try {
    const parsed = hostFrameSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Resolves to `null` if no host answers. */
export async function connectRemoteHost(open: OpenLine): Promise<RemoteHost | null> {
  const host = new SocketHost(open);
  return (await host.connect()) ? host : null;
}

/**
 * A host client over the loopback WebSocket. It comes back by itself with growing, jittered pauses and subscribes
 * again to everything that is still wanted; calls in flight when the line drops end as `unavailable`.
 */

import { appError } from '../../contract/errors.ts';
import { type ClientFrame, hostFrameSchema } from '../../contract/frames.ts';
import type { FeedSink } from '../../contract/host-api.ts';
import { err, type Result } from '../../contract/result.ts';
import { t } from '../../language/texts.ts';
import type { HostLink, LinkState } from './link.ts';

const firstPauseMs = 250;
const longestPauseMs = 5000;

interface Wanted {
  readonly topic: string;
  readonly sink: FeedSink;
}

const lineLost = (): Result<never> =>
  err(
    appError('unavailable', t('states.noAnswer'), {
      hint: t('states.noAnswerHint'),
    }),
  );

class WsLink {
  private socket: WebSocket | null = null;
  private state: LinkState = 'connecting';
  private attempt = 0;
  private nextId = 1;
  private readonly url: string;
  private readonly pending = new Map<number, (result: Result<unknown>) => void>();
  private readonly wanted = new Map<number, Wanted>();
  private readonly listeners = new Set<(state: LinkState) => void>();

  constructor(url: string) {
    this.url = url;
    this.open();
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
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener('open', () => this.opened());
    socket.addEventListener('message', (event) => this.received(event.data));
    socket.addEventListener('close', () => this.closed());
  }

  private opened(): void {
    this.attempt = 0;
    for (const [id, want] of this.wanted) this.send({ type: 'subscribe', id, topic: want.topic });
    this.become('up');
  }

  private closed(): void {
    this.socket = null;
    for (const id of [...this.pending.keys()]) this.settle(id, lineLost());
    this.become('lost');
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.attempt++, 10));
    setTimeout(() => this.open(), longest / 2 + Math.random() * (longest / 2));
  }

  private received(data: unknown): void {
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

  private send(frame: ClientFrame): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
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

export function createWsClient({ url }: { readonly url: string }): HostLink {
  const link = new WsLink(url);
  return {
    // The table's types hold by the host's own output check; the frame around them was parsed above.
    call: ((method: string, input: unknown) => link.call(method, input)) as HostLink['call'],
    subscribe: (topic, sink) => link.subscribe(topic, sink),
    onState: (listener) => link.onState(listener),
  };
}

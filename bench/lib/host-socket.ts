/** A minimal client of a host's local socket, so that a bench measures the host and not the command line. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { hostFrameSchema } from '../../src/contract/frames.ts';
import type { FeedEvent } from '../../src/contract/patch.ts';

export class HostSocket {
  readonly #socket: net.Socket;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  readonly #sinks = new Map<number, (event: FeedEvent) => void>();
  #next = 1;
  #held = '';

  constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text));
  }

  static open(home: string): Promise<HostSocket | null> {
    let target = path.join(home, 'host.sock');
    try {
      const info = JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')) as { socket?: string };
      target = info.socket ?? target;
    } catch {
      // Not written yet: try the default path.
    }
    return new Promise((resolve) => {
      const socket = net.connect(target);
      socket.once('connect', () => resolve(new HostSocket(socket)));
      socket.once('error', () => resolve(null));
    });
  }

  async call<T>(method: string, input: unknown = {}): Promise<T> {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.write(`${JSON.stringify({ type: 'call', id, method, input })}\n`);
    return (await answer) as T;
  }

  subscribe(topic: string, sink: (event: FeedEvent) => void): void {
    const id = this.#next++;
    this.#sinks.set(id, sink);
    this.#socket.write(`${JSON.stringify({ type: 'subscribe', id, topic })}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    const lines = (this.#held + text).split('\n');
    this.#held = lines.pop() ?? '';
    for (const line of lines) {
      const frame = hostFrameSchema.parse(JSON.parse(line));
      if (frame.type === 'event') this.#sinks.get(frame.id)?.(frame.event);
      else {
        const done = this.#waiting.get(frame.id);
        if (!done) continue;
        this.#waiting.delete(frame.id);
        if (!frame.result.ok) throw new Error(frame.result.error.message);
        done(frame.result.value);
      }
    }
  }
}

/** Waits until the host of `home` answers; returns the duration in ms. */
export async function untilAnswering(
  home: string,
  deadlineMs = 60_000,
): Promise<{ client: HostSocket; ms: number }> {
  const started = performance.now();
  while (performance.now() - started < deadlineMs) {
    const client = await HostSocket.open(home);
    if (client) {
      await client.call('host.view');
      return { client, ms: performance.now() - started };
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error('the host did not answer');
}

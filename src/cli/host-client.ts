import { connect, type Socket } from 'node:net';
import { appError, messageOf } from '../contract/errors.ts';
import type { HostFrame } from '../contract/frames.ts';
import type { HostClient } from '../contract/host-api.ts';
import type { FeedEvent } from '../contract/patch.ts';
import type { Result } from '../contract/result.ts';
import { cliMessage } from '../language/cli-message.ts';
import { readHostFile } from './home.ts';

// Client of the running host over its socket. The frames come from the user's own host, so their shape is
// checked without zod, whose import would take longer than the call.

export interface HostConnection extends HostClient {
  close(): void;
}

const lost = appError('unavailable', cliMessage('cliTerminal.connectionLost'), {
  hint: cliMessage('cliTerminal.readLog'),
});

function parseFrame(line: string): HostFrame | null {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || !parsed || !('type' in parsed) || !('id' in parsed)) return null;
    return parsed.type === 'result' || parsed.type === 'event' ? (parsed as HostFrame) : null;
  } catch {
    return null;
  }
}

function wrap(socket: Socket): HostConnection {
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  const sinks = new Map<number, (event: FeedEvent) => void>();
  let nextId = 1;
  let rest = '';
  let over = false;

  const onLine = (line: string): void => {
    const frame = parseFrame(line);
    if (frame?.type === 'result') {
      waiting.get(frame.id)?.(frame.result as Result<unknown>);
      waiting.delete(frame.id);
    } else if (frame) sinks.get(frame.id)?.(frame.event);
  };

  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over = true;
    for (const answer of waiting.values()) answer({ ok: false, error: lost });
    for (const sink of sinks.values()) sink({ type: 'end', reason: messageOf(lost) });
    waiting.clear();
    sinks.clear();
  });

  const send = (frame: object): void => {
    socket.write(`${JSON.stringify(frame)}\n`);
  };

  return {
    call: (method, input) =>
      new Promise((resolve) => {
        if (over) return resolve({ ok: false, error: lost });
        const id = nextId++;
        waiting.set(id, (result) => resolve(result as never));
        send({ type: 'call', id, method, input });
      }),
    subscribe(topic, sink) {
      const id = nextId++;
      sinks.set(id, sink);
      send({ type: 'subscribe', id, topic });
      return () => {
        sinks.delete(id);
        send({ type: 'unsubscribe', id });
      };
    },
    close: () => socket.destroy(),
  };
}

/** `null` if no host answers for this folder. */
export function connectHost(home: string): Promise<HostConnection | null> {
  const running = readHostFile(home);
  if (!running) return Promise.resolve(null);
  return new Promise((resolve) => {
    const socket = connect(running.socket);
    const absent = (): void => resolve(null);
    socket.once('error', absent);
    socket.once('connect', () => {
      socket.off('error', absent);
      resolve(wrap(socket));
    });
  });
}

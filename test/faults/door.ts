/** A client of a running host that returns errors instead of throwing, for fault tests. */
import net from 'node:net';
import type { HostFrame } from '../../src/contract/frames.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import type { Result } from '../../src/contract/result.ts';

export interface Door {
  tryCall<M extends MethodName>(method: M, input: MethodInput<M>): Promise<Result<MethodOutput<M>>>;
  /** Throws the error. */
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>>;
  close(): void;
}

const gone: Result<never> = {
  ok: false,
  error: { code: 'unavailable', message: 'the host went away' },
};

function doorOver(socket: net.Socket, output: () => string): Door {
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  let next = 1;
  let held = '';
  let over = false;
  const end = (): void => {
    over = true;
    for (const answer of waiting.values()) answer(gone);
    waiting.clear();
  };
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('close', end);
  socket.on('data', (text: string) => {
    const lines = (held + text).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const frame = JSON.parse(line) as HostFrame;
      if (frame.type !== 'result') continue;
      waiting.get(frame.id)?.(frame.result as Result<unknown>);
      waiting.delete(frame.id);
    }
  });
  const tryCall = (method: string, input: unknown): Promise<Result<unknown>> => {
    if (over) return Promise.resolve(gone);
    const id = next++;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      socket.write(`${JSON.stringify({ type: 'call', id, method, input })}\n`);
    });
  };
  return {
    tryCall: (method, input) => tryCall(method, input) as never,
    async call(method, input) {
      const result = await tryCall(method, input);
      if (!result.ok) {
        const message = `${method}: ${result.error.code}: ${result.error.message}`;
        throw new Error(message, { cause: new Error(`the host printed: ${output()}`) });
      }
      return result.value as never;
    },
    close: () => socket.destroy(),
  };
}

/** `null` if nothing listens on the socket. `output`: what the host printed, shown with the error of a call. */
export function openDoor(socketPath: string, output: () => string = () => ''): Promise<Door | null> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath);
    const absent = (): void => resolve(null);
    socket.once('error', absent);
    socket.once('connect', () => {
      socket.off('error', absent);
      resolve(doorOver(socket, output));
    });
  });
}

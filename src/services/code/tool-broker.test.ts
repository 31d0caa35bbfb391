import { existsSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { brokerEnv } from '../../core/ptc/binding-runtimes.ts';
import type { BrokerRequest, CodeAnswer, OpenBroker } from '../../core/ptc/code-ports.ts';
import { createToolBroker } from './tool-broker.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(call: BrokerRequest['call']): Promise<OpenBroker> {
  const broker = await createToolBroker().open({ call, files: new Map([['skills/lib/a.py', 'x = 1\n']]) });
  if (!broker.ok) throw new Error(broker.error.message);
  opened.push(broker.value);
  return broker.value;
}

function dial(broker: OpenBroker, token = broker.env[brokerEnv.token]): Socket {
  const socket = connect(broker.env[brokerEnv.socket] ?? '');
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.write(`${JSON.stringify({ token })}\n`);
  opened.push({ close: () => socket.destroy() });
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** The next `count` lines. */
function lines(socket: Socket, count: number): Promise<readonly unknown[]> {
  let text = '';
  return new Promise((resolve) => {
    socket.on('data', (piece) => {
      text += String(piece);
      const all = text.split('\n').slice(0, -1);
      if (all.length >= count) resolve(all.map((line) => JSON.parse(line)));
    });
  });
}

const echo = async (tool: string, args: unknown): Promise<CodeAnswer> =>
  tool === 'bad'
    ? { type: 'error', tool, message: 'no', structured: { why: 1 } }
    : { type: 'value', value: { tool, args } };

describe('broker', () => {
  it('answers calls by their number, errors with their data', async () => {
    const broker = await open(echo);
    const socket = dial(broker);
    const answers = lines(socket, 2);
    socket.write('{"id":7,"tool":"look","args":{"a":"ä"}}\n{"id":8,"tool":"bad"}\n');
    expect(await answers).toEqual([
      { id: 7, type: 'value', value: { tool: 'look', args: { a: 'ä' } } },
      { id: 8, type: 'error', tool: 'bad', message: 'no', structured: { why: 1 } },
    ]);
  });

  it('refuses a connection without the token of the run, and calls nothing for it', async () => {
    const seen: string[] = [];
    const call = async (tool: string): Promise<CodeAnswer> => {
      seen.push(tool);
      return { type: 'value', value: 1 };
    };
    const [broker, other] = [await open(call), await open(call)];
    for (const token of ['', 'x', other.env[brokerEnv.token]]) {
      const socket = dial(broker, token);
      socket.write('{"id":1,"tool":"look"}\n');
      await closed(socket);
    }
    expect(seen).toEqual([]);
  });

  it.each(['no json', '{"tool":1}', '[]', '{"tool":"a","args":[1]}'])(
    'ends a connection that sends %s',
    async (line) => {
      const socket = dial(await open(echo));
      socket.write(`${line}\n`);
      await closed(socket);
    },
  );

  it('ends a connection whose line is too long (T24)', async () => {
    const socket = dial(await open(echo));
    socket.write('x'.repeat(9 * 1024 * 1024));
    await closed(socket);
  });

  it('aborts the calls of a connection that closes, and of a run that ends', async () => {
    const signals: AbortSignal[] = [];
    let told = (): void => undefined;
    const call = (_: string, __: unknown, signal: AbortSignal): Promise<CodeAnswer> => {
      signals.push(signal);
      told();
      return new Promise(() => undefined);
    };
    const broker = await open(call);
    const begun = async (): Promise<Socket> => {
      const arrived = new Promise<void>((resolve) => {
        told = resolve;
      });
      const socket = dial(broker);
      socket.write('{"id":1,"tool":"look"}\n');
      await arrived;
      return socket;
    };
    (await begun()).destroy();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    await begun();
    await broker.close();
    await expect.poll(() => signals[1]?.aborted).toBe(true);
  });

  it('keeps its folder to the owner, and deletes it at the end', async () => {
    const broker = await open(echo);
    expect(statSync(broker.folder).mode & 0o077).toBe(0);
    expect(statSync(broker.env[brokerEnv.socket] ?? '').mode & 0o077).toBe(0);
    expect(existsSync(`${broker.folder}/skills/lib/a.py`)).toBe(true);
    await broker.close();
    expect(existsSync(broker.folder)).toBe(false);
  });
});

/**
 * Time from the prompt to the first word at a listener, with 200 messages of history and a model server that
 * answers at once. The floor is a bare socket that connects, sends the same request and waits for the first
 * byte, in the same run; the result for a reused connection is shown beside it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { StreamFunction } from '../../src/core/loop/stream-function.ts';
import { noUsage, type TranscriptMessage, textBlock, userMessage } from '../../src/core/models/messages.ts';
import { builtInModel } from '../../src/library/built-in-model.ts';
import { createAgent } from '../../src/library/create-agent.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { median, report } from '../lib/measure.ts';

const rounds = 200;
const goal = 3;
const words = 'Some words of a conversation that has been going on for a while, about this and that. '.repeat(
  3,
);

const history = Array.from({ length: 200 }, (_, at): TranscriptMessage => {
  if (at % 2 === 0) return userMessage(words, at);
  return {
    role: 'assistant',
    api: 'openai-completions',
    provider: 'openai-compatible',
    model: 'm',
    content: [textBlock(words)],
    usage: noUsage,
    stopReason: 'stop',
    timestamp: at,
  };
});

/** Body of the agent's request, so that both send the same number of bytes. */
const body = JSON.stringify({
  model: 'm',
  messages: history.map(({ role, content }) => ({ role, content })),
  stream: true,
});
const request = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function fresh(port: number): Promise<number> {
  const started = performance.now();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const first = once(socket, 'data');
  socket.write(request);
  await first;
  const took = performance.now() - started;
  socket.destroy();
  return took;
}

async function connected(socket: Socket): Promise<number> {
  const started = performance.now();
  const first = once(socket, 'data');
  socket.write(request);
  await first;
  return performance.now() - started;
}

async function asked(stream: StreamFunction): Promise<number> {
  const agent = createAgent({ stream, messages: history });
  let heardAt = 0;
  agent.subscribe((event) => {
    if (heardAt === 0 && event.type === 'message_update') heardAt = performance.now();
  });
  const started = performance.now();
  await agent.prompt('Go on.');
  if (heardAt === 0) throw new Error(agent.state.errorMessage ?? 'nothing was heard');
  return heardAt - started;
}

const server = fork(fileURLToPath(new URL('../lib/instant-server.ts', import.meta.url)));
const [port] = (await once(server, 'message')) as [number];
const baseUrl = `http://127.0.0.1:${port}/v1`;
const { stream } = builtInModel({ provider: 'openai-compatible', name: 'm', baseUrl }, createSystemClock());
const socket = connect({ port, host: '127.0.0.1', noDelay: true });
await once(socket, 'connect');
const measured: { floor: number; connected: number; whole: number }[] = [];
for (let round = 0; round < rounds * 2; round += 1) {
  const one = { floor: await fresh(port), connected: await connected(socket), whole: await asked(stream) };
  if (round >= rounds) measured.push(one);
}
socket.destroy();
server.kill();

const floorMs = median(measured.map(({ floor }) => floor));
const connectedMs = median(measured.map((one) => one.connected));
const wholeMs = median(measured.map(({ whole }) => whole));
report([
  {
    name: 'first token with 200 messages of history / first byte of a raw socket',
    ratio: wholeMs / floorMs,
    goal,
    better: 'lower',
    figures: {
      rawSocketMs: Number(floorMs.toFixed(3)),
      connectedSocketMs: Number(connectedMs.toFixed(3)),
      firstTokenMs: Number(wholeMs.toFixed(3)),
      requestBytes: Buffer.byteLength(request),
    },
    note: `${wholeMs.toFixed(2)} ms, raw socket ${floorMs.toFixed(2)} ms, connected before ${connectedMs.toFixed(2)} ms`,
  },
]);

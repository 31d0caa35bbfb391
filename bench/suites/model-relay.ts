/**
 * Added time of the model relay for a request of an agent program: ms from the last byte of 100 KB
 * to the first byte of the answer, beside the same request without it. Model server and relay run in processes
 * of their own; the ratio is the difference at p50 divided by the goal of 3 ms.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadNote, median, quantile, report } from '../lib/measure.ts';

const goalMs = 3;
const rounds = 400;
const parallel = 16;
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const server = fork(file('../lib/instant-server.ts'));
const [port] = (await once(server, 'message')) as [number];
const direct = `http://127.0.0.1:${port}`;
const relay = fork(file('../children/model-relay-host.ts'), [direct]);
const [{ url, token }] = (await once(relay, 'message')) as [{ url: string; token: string }];

const content = 'A conversation with "quotes", {braces} and \\ slashes. '.repeat(2_000);
const body = JSON.stringify({
  messages: [{ role: 'user', content }],
  model: 'bench',
  stream: true,
  stream_options: { include_usage: true },
});
const agent = new Agent({ keepAlive: true });

async function firstByteMs(base: string): Promise<number> {
  const asked = request(`${base}/v1/chat/completions`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    },
  });
  const started = performance.now();
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  // Both events may arrive in one tick.
  const ended = once(response, 'end');
  await once(response, 'data');
  const ms = performance.now() - started;
  await ended;
  return ms;
}

const times = { direct: [] as number[], relayed: [] as number[] };
for (let round = -20; round < rounds; round += 1) {
  const [plain, relayed] = [await firstByteMs(direct), await firstByteMs(url)];
  if (round < 0) continue;
  times.direct.push(plain);
  times.relayed.push(relayed);
}
const streams = fork(file('../children/stream-server.ts'));
const [streamPort] = (await once(streams, 'message')) as [number];
const directStreams = `http://127.0.0.1:${streamPort}`;
const streamRelay = fork(file('../children/model-relay-host.ts'), [directStreams]);
const [relayed] = (await once(streamRelay, 'message')) as [{ url: string; token: string }];

/** Bytes per second of parallel streams. */
async function throughput(base: string, key: string): Promise<number> {
  const started = performance.now();
  const sizes = await Promise.all(
    Array.from({ length: parallel }, async () => {
      const response = await fetch(`${base}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'bench', stream: true, stream_options: {}, messages: [] }),
      });
      return (await response.arrayBuffer()).byteLength;
    }),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return (bytes / (performance.now() - started)) * 1_000;
}
const rates = { direct: [] as number[], relayed: [] as number[] };
for (let round = -1; round < 9; round += 1) {
  const direct = await throughput(directStreams, 'none');
  const through = await throughput(relayed.url, relayed.token);
  if (round < 0) continue;
  rates.direct.push(direct);
  rates.relayed.push(through);
}
streamRelay.kill();
streams.kill();
const addedMs = median(times.relayed) - median(times.direct);
report([
  {
    name: `model relay: ms added to a request / ${goalMs}`,
    ratio: addedMs / goalMs,
    goal: 1,
    better: 'lower',
    figures: {
      addedMs,
      directMs: median(times.direct),
      relayedMs: median(times.relayed),
      relayedP95Ms: quantile(times.relayed, 0.95),
    },
    note: `p50 of ${rounds} requests of 100 KB each, one after the other; ${loadNote()}`,
  },
  {
    name: 'model relay: throughput of parallel streams / without it',
    ratio: median(rates.relayed) / median(rates.direct),
    goal: 0.95,
    better: 'higher',
    figures: { directBytesPerS: median(rates.direct), relayedBytesPerS: median(rates.relayed), parallel },
    note: `median of 9 rounds, ${parallel} streams with an event per ms each; ${loadNote()}`,
  },
]);
agent.destroy();
relay.kill();
server.kill();

/**
 * Throughput of the relay against the minimum that carries the same messages durably (`bare` in
 * relay-server.ts), each in its own process with the same client: messages to 10 and to 1,000 devices, and
 * the catch-up of one device.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import path from 'node:path';
import { WebSocket } from 'ws';
import { utf8 } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { signRequest } from '../../src/core/puffo/http-signing.ts';
import { signConnect } from '../../src/core/puffo/ws-connect.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { median, report, temporaryHome } from '../lib/measure.ts';
import { type BenchPerson, envelopeOf } from '../lib/relay-people.ts';

const small = { devices: 10, messages: 10_000, rounds: 3 };
const large = { devices: 1_000, messages: 60, rounds: 3 };
const atOnce = 64;

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const crypto: CryptoEngine = selected.value.engine;
const random = createSystemRandom();
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

interface Server {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly port: number;
  readonly people: readonly BenchPerson[];
}

async function answerOf<T>(child: ChildProcess, question?: string): Promise<T> {
  const answer = once(child, 'message');
  if (question !== undefined) child.send(question);
  return (await answer)[0] as T;
}

async function startServer(kind: 'product' | 'bare', devices: number): Promise<Server> {
  const folder = temporaryHome();
  const script = path.join(import.meta.dirname, '../children/relay-server.ts');
  const child = fork(script, [kind, folder, String(devices)], { execArgv: ['--expose-gc'] });
  const { port, people } = await answerOf<{
    port: number;
    people: (Omit<BenchPerson, 'session'> & {
      session: { subkeyId: string; secret: number[]; expiresAt: number };
    })[];
  }>(child);
  const whole = people.map(({ session, ...rest }) => ({
    ...rest,
    session: { ...session, secret: Uint8Array.from(session.secret), cert: null },
  }));
  return { child, folder, port, people: whole };
}

async function stopServer({ child, folder }: Server): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

interface Signed {
  readonly target: string;
  readonly method: 'GET' | 'POST';
  readonly body: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

function signed(by: BenchPerson | undefined, target: string, text: string | null): Signed {
  const body = text === null ? null : utf8(text);
  const method = body === null ? 'GET' : 'POST';
  const signer = by && { slug: by.slug, signerId: by.session.subkeyId, secret: by.session.secret };
  const proof = signer ? signRequest(crypto, { method, target, body }, signer, Date.now(), random) : {};
  return { target, method, body, headers: { ...proof, 'content-type': 'application/json' } };
}

function send(server: Server, { target, method, body, headers }: Signed): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, port: server.port, path: target, method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const said = Buffer.concat(pieces).toString('utf8');
        if ((response.statusCode ?? 500) < 300) resolve(said);
        else reject(new Error(`${target}: ${response.statusCode} ${said.slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

const ask = (server: Server, target: string, text: string | null): Promise<string> =>
  send(server, signed(server.people[0], target, text));

async function connect(server: Server, index: number, onFrame: () => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/subscribe`, { perMessageDeflate: false });
  // The greeting may arrive together with the opening.
  const greeted = once(socket, 'message');
  await once(socket, 'open');
  const person = server.people[index];
  if (person) socket.send(JSON.stringify(signConnect(crypto, person, Date.now(), random)));
  await greeted;
  socket.on('message', (data: Buffer) => {
    if (data.length > 200) onFrame();
    else if (data.includes('ping')) socket.send('{"type":"pong"}');
  });
  return socket;
}

interface Load {
  readonly acceptedPerSecond: number;
  readonly deliveredPerSecond: number;
}

/** Runs until every device has every message. `to` also names the devices for a server without accounts. */
async function run(
  server: Server,
  to: readonly BenchPerson[],
  messages: number,
  connected: () => Promise<void> = async () => undefined,
): Promise<Load & { sockets: WebSocket[] }> {
  let left = to.length * messages;
  let tellDone: () => void = () => undefined;
  const delivered = new Promise<void>((resolve) => {
    tellDone = resolve;
  });
  const onFrame = (): void => {
    left -= 1;
    if (left === 0) tellDone();
  };
  const sockets: WebSocket[] = [];
  for (let index = 0; index < to.length; index += 1) sockets.push(await connect(server, index, onFrame));
  await connected();
  const sender = to[0]?.slug ?? '';
  // Sealed and signed in advance, because client time is not server time and is the same for both.
  const requests = Array.from({ length: messages }, (_, n) =>
    signed(to[0], '/messages', envelopeOf(sender, to, Date.now() - messages + n)),
  );
  const started = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < messages; at = next++) await send(server, requests[at] as Signed);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const accepted = performance.now() - started;
  await delivered;
  const all = performance.now() - started;
  return {
    acceptedPerSecond: (messages * 1_000) / accepted,
    deliveredPerSecond: (messages * to.length * 1_000) / all,
    sockets,
  };
}

const close = (sockets: readonly WebSocket[]): void => {
  for (const socket of sockets) socket.terminate();
};

async function catchUp(server: Server): Promise<{ ms: number; messages: number }> {
  const started = performance.now();
  let messages = 0;
  for (;;) {
    const page = JSON.parse(await ask(server, '/messages/pending?limit=500', null)) as {
      messages: { envelope: { envelope_id: string } }[];
    };
    if (page.messages.length === 0) return { ms: performance.now() - started, messages };
    messages += page.messages.length;
    const ids = page.messages.map(({ envelope }) => envelope.envelope_id);
    await ask(server, '/messages/ack', JSON.stringify({ envelope_ids: ids }));
  }
}

interface Round {
  readonly relay: Load;
  readonly bare: Load;
  readonly more: Readonly<Record<string, number>>;
}

async function round({ devices, messages }: typeof small): Promise<Round> {
  const relay = await startServer('product', devices);
  const empty = await answerOf<{ kiB: number }>(relay.child, 'rss');
  const before = await answerOf<{ bytes: number }>(relay.child, 'size');
  let socketsKiB = 0;
  const loaded = await run(relay, relay.people, messages, async () => {
    socketsKiB = (await answerOf<{ kiB: number }>(relay.child, 'rss')).kiB;
  });
  const after = await answerOf<{ bytes: number }>(relay.child, 'size');
  const { kiB } = await answerOf<{ kiB: number }>(relay.child, 'rss');
  close(loaded.sockets);
  const caught = await catchUp(relay);
  await stopServer(relay);
  const bare = await startServer('bare', 0);
  const plain = await run(bare, relay.people, messages);
  close(plain.sockets);
  await stopServer(bare);
  const more = {
    bytesPerMessage: (after.bytes - before.bytes) / messages,
    emptyKiB: empty.kiB,
    socketsKiB,
    loadedKiB: kiB,
    catchUpMs: caught.ms,
    catchUpMessages: caught.messages,
  };
  return { relay: loaded, bare: plain, more };
}

const rows = [];
for (const size of [small, large]) {
  const rounds: Round[] = [];
  for (let n = 0; n < size.rounds; n += 1) rounds.push(await round(size));
  const of = (pick: (one: Round) => number): number => Number(median(rounds.map(pick)).toFixed(1));
  rows.push({
    name: `relay: messages to ${size.devices} devices / bare SQLite and ws`,
    ratio: median(rounds.map(({ relay, bare }) => relay.deliveredPerSecond / bare.deliveredPerSecond)),
    goal: 0.5,
    better: 'higher' as const,
    figures: {
      acceptedPerSecond: of(({ relay }) => relay.acceptedPerSecond),
      deliveredPerSecond: of(({ relay }) => relay.deliveredPerSecond),
      bareAcceptedPerSecond: of(({ bare }) => bare.acceptedPerSecond),
      bareDeliveredPerSecond: of(({ bare }) => bare.deliveredPerSecond),
      bytesPerMessage: of(({ more }) => more.bytesPerMessage ?? 0),
      memoryBeforeKiB: of(({ more }) => more.emptyKiB ?? 0),
      memoryWithSocketsKiB: of(({ more }) => more.socketsKiB ?? 0),
      memoryAfterKiB: of(({ more }) => more.loadedKiB ?? 0),
      catchUpMs: of(({ more }) => more.catchUpMs ?? 0),
      catchUpMessages: of(({ more }) => more.catchUpMessages ?? 0),
    },
  });
}
report(rows);
agent.destroy();

/**
 * A server in its own process for the relay bench: `product` is the relay, `bare` is the minimum that carries
 * the same messages durably: an HTTP server, one SQLite transaction per batch, and WebSockets. Answers `size`
 * and `rss`.
 */

import { statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { createRelay } from '../../src/relay/relay.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { pssKiB } from '../lib/measure.ts';
import { seedRelay } from '../lib/relay-people.ts';

const [kind = '', folder = '', peopleText = '0'] = process.argv.slice(2);
const file = path.join(folder, 'relay.db');

async function product(): Promise<object> {
  const selected = await selectCryptoEngine();
  if (!selected.ok) throw new Error(selected.error.message);
  const { engine } = selected.value;
  const clock = createSystemClock();
  const store = openRelayStore(file);
  const people = seedRelay(store, engine, Number(peopleText), clock.now());
  const relay = await createRelay(
    { store, crypto: engine, clock, random: createSystemRandom(), log: createRecordingLog() },
    {
      listen: { host: '127.0.0.1', port: 0 },
      limits: { requestBurst: 1_000_000, requestsPerSecond: 1_000_000, wsBacklogBytes: 1024 ** 3 },
    },
  );
  if (!relay.ok) throw new Error(relay.error.message);
  return {
    port: relay.value.port,
    people: people.map(({ session, ...rest }) => ({ ...rest, session: plain(session) })),
  };
}

const plain = (session: { subkeyId: string; secret: Uint8Array; expiresAt: number }) => ({
  subkeyId: session.subkeyId,
  secret: [...session.secret],
  expiresAt: session.expiresAt,
});

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** All requests of one event loop round share a commit, as in the relay. */
async function bare(): Promise<object> {
  const db = openDatabase(file);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.pragma(pragma);
  db.exec('CREATE TABLE messages (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT)');
  db.exec(
    'CREATE TABLE queue (device TEXT, seq INTEGER, entry TEXT, PRIMARY KEY (device, seq)) WITHOUT ROWID',
  );
  const addMessage = db.prepare('INSERT INTO messages (id, body) VALUES (?, ?)');
  const addQueue = db.prepare('INSERT INTO queue VALUES (?, ?, ?)');
  const sockets: WebSocket[] = [];
  let seq = 0;
  let waiting: (() => () => void)[] = [];
  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    for (const done of db.transaction(() => batch.map((work) => work()))) done();
  };
  const server = createServer(async (request, response) => {
    const envelope = JSON.parse(await textOf(request)) as {
      envelope_id: string;
      recipients: { device_id: string }[];
    };
    if (waiting.length === 0) setImmediate(commit);
    waiting.push(() => {
      const { recipients, ...kept } = envelope;
      const body = JSON.stringify(kept);
      addMessage.run([envelope.envelope_id, body]);
      seq += 1;
      const entries = recipients.map((entry) => JSON.stringify(entry));
      for (const [index, entry] of entries.entries())
        addQueue.run([recipients[index]?.device_id ?? '', seq, entry]);
      return () => {
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
        for (const [index, socket] of sockets.entries()) {
          socket.send(
            `{"type":"message","seq":${seq},"envelope":${body.slice(0, -1)},"recipients":[${entries[index]}]}}`,
          );
        }
      };
    });
  });
  const web = new WebSocketServer({ server, perMessageDeflate: false });
  web.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', () => undefined);
    socket.send('{"type":"connected"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, people: [] };
}

const bytesOnDisk = (): number =>
  [file, `${file}-wal`].reduce(
    (sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

process.on('message', (asked) => {
  globalThis.gc?.();
  process.send?.(asked === 'size' ? { bytes: bytesOnDisk() } : { kiB: pssKiB(process.pid) });
});
process.send?.(kind === 'product' ? await product() : await bare());

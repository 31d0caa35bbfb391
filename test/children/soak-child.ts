/**
 * Runs a relay and repeatedly connects and disconnects accounts, in its own process: `soak-child.ts FOLDER
 * CYCLES`. Reports its resources to its parent after each cycle.
 */
import diagnostics from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Log } from '../../src/core/ports.ts';
import type { Identity } from '../../src/core/puffo/identity.ts';
import { newEnvelopeId } from '../../src/core/puffo/ids.ts';
import type { OutboxDraft } from '../../src/core/puffo/stored-message.ts';
import { createRelay } from '../../src/relay/relay.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { createServerDirectory } from '../../src/services/puffo/directory.ts';
import { signUp } from '../../src/services/puffo/registration.ts';
import { createMemoryRegistryStore } from '../fakes/memory-registry-store.ts';
import { must, nothing, recordedAccount, type TestAccount, until } from '../fakes/puffo-rig.ts';

const [folder = '', cyclesText = '1'] = process.argv.slice(2);
const people = 6;
const messages = 5;

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const crypto = selected.value.engine;
const clock = createSystemClock();
const random = createSystemRandom();
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };

const listen = { host: '127.0.0.1', port: 0 };
const store = openRelayStore(path.join(folder, 'relay.db'));
const relay = must(await createRelay({ store, crypto, clock, random, log }, { listen }));
// Awaits this only after something keeps the process alive.
await selected.value.agreed;
const identities: Identity[] = [];
for (let n = 0; n < people; n += 1) {
  const inviteCode = relay.createInvite();
  identities.push(must(await signUp({ serverUrl: relay.url, inviteCode, username: `p${n}`, crypto, clock })));
}

const draft = (recipientSlug: string, n: number): OutboxDraft => ({
  envelopeId: newEnvelopeId(random),
  kind: 'dm',
  spaceId: null,
  channelId: null,
  recipientSlug,
  threadRootId: null,
  contentType: 'text/plain',
  content: `word ${n}`,
  visible: true,
  createdAt: clock.now(),
});

/** Open client sockets of this process: requests and WebSockets of all accounts. */
const clients = new Set<Socket>();
diagnostics.subscribe('net.client.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  clients.add(socket);
  socket.once('close', () => clients.delete(socket));
});

/**
 * Connects all accounts, sends messages between them, and disconnects them; with `reset`, cuts all connections
 * first.
 */
async function cycle(reset: boolean): Promise<void> {
  const registryStore = createMemoryRegistryStore();
  const directory = createServerDirectory({ serverUrl: relay.url, registryStore, crypto, clock, log });
  const key = new Uint8Array(32).fill(3);
  const accounts: TestAccount[] = identities.map((identity) => {
    const file = path.join(folder, `${identity.slug}.db`);
    const own = openAccountStore({ path: file, slug: identity.slug, key, clock, log });
    const account = recordedAccount(identity, { directory, crypto, clock, random }, { store: own });
    account.account.start();
    return account;
  });
  await Promise.all(accounts.map((one) => one.online()));
  for (const [n, { account, store: own, identity }] of accounts.entries()) {
    const next = accounts[(n + 1) % people]?.identity.slug ?? '';
    for (let m = 0; m < messages; m += 1) own.enqueue(draft(next, m), identity.slug);
    account.kickOutbox();
  }
  await until('the messages', () => accounts.every(({ accepted }) => accepted.length >= messages), 30_000);
  if (reset) {
    if (clients.size < people) throw new Error(`${clients.size} connections of ${people} accounts`);
    for (const socket of clients) socket.resetAndDestroy();
  }
  await Promise.all(accounts.map(({ account }) => account.stop()));
  directory.stop();
  for (const { store: own } of accounts) own.release();
  await until('everybody gone', () => relay.connections() === 0);
}

for (let n = 0; n < Number(cyclesText); n += 1) {
  await cycle(n % 2 === 1);
  // Closed handles are released in the next rounds of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let round = 0; round < 2; round += 1) globalThis.gc?.();
  const { heapUsed, rss, external } = process.memoryUsage();
  const fds = readdirSync('/proc/self/fd').length;
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ heapKiB: (heapUsed + external) / 1024, rssKiB: rss / 1024, fds, handles });
}
await relay.stop();
process.exit(0);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import type { CryptoEngine } from '../../src/core/ports.ts';
import type { AccountStore } from '../../src/core/puffo/account-store.ts';
import { sealMessage } from '../../src/core/puffo/envelope.ts';
import { MessageIntake } from '../../src/core/puffo/message-intake.ts';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { createIdentities } from '../../src/services/puffo/identities.ts';
import { noAnswer } from '../../src/services/puffo/request-error.ts';
import type { SignedClient } from '../../src/services/puffo/signed-client.ts';
import { createMemoryRegistryStore } from '../fakes/memory-registry-store.ts';
import { createPuppet, type Puppet } from '../fakes/puppet.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';

const random = createSeededRandom(seed);
const count = proof ? 100_000 : 2_000;
/** Number of messages that are sealed, shuffled and delivered together. */
const wave = 10_000;
const batch = 128;
const folder = mkdtempSync(path.join(tmpdir(), 'kennel-shuffle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shuffled<T>(items: readonly T[]): readonly T[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random.fraction() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

function history(store: AccountStore, roomId: string): readonly string[] {
  const pages: (readonly StoredMessage[])[] = [];
  let before: string | undefined;
  for (;;) {
    const page = store.history({ roomId, limit: 500, ...(before ? { before } : {}) });
    pages.push(page.messages);
    before = page.messages[0]?.envelopeId;
    if (!page.hasMore || before === undefined) break;
  }
  return pages.reverse().flatMap((messages) => messages.map(({ envelopeId }) => envelopeId));
}

function sceneOf(crypto: CryptoEngine) {
  const now = Date.now();
  const people = ['bob-0001', 'alice-0002', 'carol-0003'].map((slug, n) =>
    createPuppet(crypto, slug, { now, firstSeq: 100 * n + 1 }),
  );
  const [bob, ...senders] = people as [Puppet, ...Puppet[]];
  const entries = people.flatMap((person) => person.entries);
  const client: SignedClient = {
    slug: 'bob-0001',
    bytes: async () => ({ ok: false, error: noAnswer('unavailable', 'not here') }),
    json: async (_method, target, schema) => {
      const query = new URL(target, 'http://x').searchParams;
      const slugs = (query.get('slugs') ?? '').split(',');
      const found = entries.filter(
        ({ slug, seq }) => slugs.includes(slug) && seq > Number(query.get('since')),
      );
      return { ok: true, value: schema.parse({ entries: found, has_more: false }) };
    },
  };
  const clock = createSystemClock();
  const log = createRecordingLog();
  const key = new Uint8Array(32).fill(9);
  const store = openAccountStore({
    path: path.join(folder, 'messages.db'),
    slug: 'bob-0001',
    key,
    clock,
    log,
  });
  const registryStore = createMemoryRegistryStore();
  const identities = createIdentities({ store: registryStore, crypto, clock, log, client: () => client });
  const refused: string[] = [];
  const inbox = new MessageIntake({
    judge: { identity: bob.identity, identities, crypto },
    store,
    clock,
    triggers: {
      prepare: async () => undefined,
      decide: () => ({ react: true, reason: 'mention', priority: 2 }),
    },
    events: {
      onRefused: (reason) => refused.push(reason),
      onHeld: ({ envelopeId }) => refused.push(`held ${envelopeId}`),
      onStoreFault: (error) => refused.push(error.code),
    },
    breathe,
  });
  return { bob, senders, store, inbox, refused, now };
}

const rooms = ['ch_one', 'ch_two', 'ch_three'] as const;

it(`${count} shuffled envelopes, every fifth repeated, are stored and queued once and in order (F10), seed ${seed}`, {
  timeout: 120_000 + count * 12,
}, async () => {
  const selected = await selectCryptoEngine();
  if (!selected.ok) throw new Error(selected.error.message);
  const crypto = selected.value.engine;
  const { bob, senders, store, inbox, refused, now } = sceneOf(crypto);
  const expected = new Map(rooms.map((room) => [room, [] as { at: number; id: string }[]]));

  /** Three messages share each millisecond: the tie-break must be the same everywhere. */
  const sealed = (n: number): unknown => {
    const sender = senders[n % senders.length] as Puppet;
    const roomId = rooms[Math.floor(random.fraction() * rooms.length)] ?? 'ch_one';
    const envelopeId = `msg_${random.uuid()}`;
    const sentAt = now + Math.floor(n / 3);
    expected.get(roomId)?.push({ at: sentAt, id: envelopeId });
    const made = sealMessage(crypto, {
      envelopeId,
      kind: 'channel',
      senderSlug: sender.identity.slug,
      spaceId: 'sp_1' as const,
      channelId: roomId,
      recipientSlug: null,
      sentAt,
      threadRootId: null,
      replyToId: null,
      contentType: 'text/plain',
      content: `number ${n}`,
      visible: true,
      session: sender.session,
      recipients: [bob.device],
    });
    if (!made.ok) throw new Error(made.error.message);
    return made.value.envelope;
  };

  const acknowledged = new Set<string>();
  let accepted = 0;
  let leftOver: readonly unknown[] = [];
  for (let done = 0; done < count; done += wave) {
    const fresh = Array.from({ length: Math.min(wave, count - done) }, (_, n) => sealed(done + n));
    const again = fresh.filter(() => random.fraction() < 0.2);
    const line = shuffled([...fresh, ...again, ...leftOver]);
    // Some messages of this wave come again with the next one.
    leftOver = again.slice(0, 500);
    for (let at = 0; at < line.length; at += batch) {
      const outcome = await inbox.accept(line.slice(at, at + batch));
      expect(outcome.deferred + outcome.held).toBe(0);
      accepted += outcome.accepted.length;
      for (const id of outcome.acknowledge) acknowledged.add(id);
    }
  }
  expect(accepted, 'told once').toBe(count);
  expect(acknowledged.size, 'every one acknowledged').toBe(count);
  expect(refused).toEqual([]);
  for (const [roomId, all] of expected) {
    const inOrder = all.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    expect(history(store, roomId), roomId).toEqual(inOrder);
  }
  expect(store.openWork(), 'asks once').toHaveLength(count);
  store.release();
});

import { expect, it } from 'vitest';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { createPuppet } from '../../../test/fakes/puppet.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createIdentities } from './identities.ts';
import type { SignedClient } from './signed-client.ts';

const crypto = testCrypto;
const clock = createVirtualClock();
const peer = createPuppet(crypto, 'peer-0002', { firstSeq: 100, now: clock.now() });

/** `losing` is how many of the next reads find the file damaged. */
function peerKnownBefore(losing: number) {
  const store = createMemoryRegistryStore();
  store.append('peer-0002', peer.entries, 200);
  let left = losing;
  const damaged: typeof store = {
    ...store,
    entries(slug) {
      if (left > 0) store.lose(slug);
      left -= 1;
      return store.entries(slug);
    },
  };
  const client: SignedClient = {
    slug: 'me-0001',
    bytes: () => Promise.reject(new Error('not asked for')),
    json: async (_method, target, schema) => {
      const since = Number(new URL(target, 'http://x').searchParams.get('since'));
      const entries = peer.entries.filter(({ seq }) => seq > since);
      return { ok: true, value: schema.parse({ entries, has_more: false }) };
    },
  };
  const log = createRecordingLog();
  return createIdentities({ store: damaged, crypto, clock, log, client: () => client });
}

it.each([0, Number.POSITIVE_INFINITY])(
  'A peer in a damaged registry is verified only after lost entries are fetched, age %s (F19)',
  async (maxAgeMs) => {
    const verified = await peerKnownBefore(1).verified('peer-0002', maxAgeMs);
    expect(verified).toMatchObject({ ok: true, value: { slug: 'peer-0002' } });
  },
);

it('Verification reports unavailable while the registry is damaged repeatedly (F19)', async () => {
  const verified = await peerKnownBefore(9).verified('peer-0002', 0);
  expect(verified).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
});

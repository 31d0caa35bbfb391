import { describe, expect, it } from 'vitest';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createProfiles } from './profiles.ts';
import type { SignedClient } from './signed-client.ts';

/** A server that gives everyone the type set by the test. */
function createScene(identityType: string | undefined, verified: 'human' | 'agent' | null) {
  const client: SignedClient = {
    slug: 'bob-0001',
    bytes: () => Promise.reject(new Error('not part of this test')),
    json: async (_method, target, schema) => {
      const slugs = (new URL(target, 'http://x').searchParams.get('slugs') ?? '').split(',');
      const profiles = slugs.map((slug) => ({ slug, display_name: 'A Name', identity_type: identityType }));
      return { ok: true, value: schema.parse({ profiles }) };
    },
  };
  return createProfiles({
    store: createMemoryRegistryStore(),
    clock: createVirtualClock(),
    client: () => client,
    verifiedType: () => verified,
  });
}

describe('Profiles', () => {
  it.each([
    ['human', 'agent', true],
    [undefined, 'agent', true],
    ['agent', 'human', false],
    ['agent', null, true],
    ['human', null, false],
  ] as const)(
    'T27: with type %s from the server and %s from the certificate, agent is %s',
    async (said, proven, agent) => {
      const profiles = createScene(said, proven);
      expect(await profiles.person('a-0001')).toMatchObject({ displayName: 'A Name', agent });
      expect(await profiles.person('a-0001')).toMatchObject({ agent });
      expect(profiles.known('a-0001').agent).toBe(agent);
    },
  );

  it('T27: identify an agent by its certificate before a profile is loaded', () => {
    expect(createScene('human', 'agent').known('a-0001')).toMatchObject({
      displayName: 'a-0001',
      agent: true,
    });
  });
});

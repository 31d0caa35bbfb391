/** Inserts people and a channel directly into a relay's store, and creates envelopes of the usual size. */
import { randomBytes } from 'node:crypto';
import { toBase64Url } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { createIdentity, createSession, type Session } from '../../src/core/puffo/identity.ts';
import type { RelayStore } from '../../src/relay/store-port.ts';

export interface BenchPerson {
  readonly slug: string;
  readonly deviceId: string;
  readonly session: Session;
}

export const spaceId = 'sp_bench';
export const channelId = 'ch_bench';

function addPerson(store: RelayStore, crypto: CryptoEngine, index: number, now: number): BenchPerson {
  const made = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now });
  const slug = `person-${index.toString(16).padStart(4, '0')}`;
  const session = createSession(crypto, made.secrets, made.deviceId, now);
  const texts = { displayName: slug, avatarUrl: '', bio: '', role: '', roleShort: '' };
  store.people.addIdentity({
    slug,
    username: slug,
    rootPublicKey: made.rootPublicKey,
    identityType: 'human',
    ...texts,
    operatorRootPublicKey: null,
    operatorSlug: null,
    profileUpdatedAt: now,
    createdAt: now,
  });
  const { signing, encryption } = made.deviceCert.keys;
  store.people.addDevice({
    deviceId: made.deviceId,
    slug,
    signingPublicKey: signing.public_key,
    kemPublicKey: encryption?.public_key ?? '',
    createdAt: now,
    expiresAt: null,
    revokedFrom: null,
  });
  store.people.addSubkey({
    subkeyId: session.subkeyId,
    deviceId: made.deviceId,
    slug,
    issuedAt: now,
    publicKey: session.cert?.subkey_public_key ?? '',
    expiresAt: session.expiresAt,
  });
  return { slug, deviceId: made.deviceId, session };
}

export function seedRelay(
  store: RelayStore,
  crypto: CryptoEngine,
  count: number,
  now: number,
): BenchPerson[] {
  return store.transaction(() => {
    const people = Array.from({ length: count }, (_, index) => addPerson(store, crypto, index, now));
    const [owner] = people;
    if (!owner) throw new Error('nobody');
    store.spaces.addSpace({ spaceId, name: 'Bench', ownerSlug: owner.slug, createdAt: now, archived: false });
    const channel = {
      channelId,
      spaceId,
      name: 'general',
      description: '',
      isPublic: true,
      isEncrypted: true,
    };
    store.spaces.addChannel({ ...channel, ownerSlug: owner.slug, createdAt: now });
    for (const { slug } of people) {
      store.spaces.saveMember(spaceId, { slug, role: 'member' }, now);
      store.spaces.saveChannelMember(channelId, { slug, role: 'member' }, now);
    }
    return people;
  });
}

/** A relay cannot decrypt its messages, so random bytes of realistic length suffice. */
const chance = (bytes: number): string => toBase64Url(randomBytes(bytes));

/** A text of about 250 characters takes some 900 bytes with its payload. */
const sealedBytes = 900;

export function envelopeOf(sender: string, to: readonly BenchPerson[], sentAt: number): string {
  return JSON.stringify({
    type: 'message_envelope',
    version: 1,
    envelope_id: `msg_${crypto.randomUUID()}`,
    envelope_kind: 'channel',
    sender_slug: sender,
    sent_at: sentAt,
    space_id: spaceId,
    channel_id: channelId,
    recipient_slug: null,
    content_nonce: chance(12),
    content_ciphertext: chance(sealedBytes),
    recipients: to.map(({ deviceId }) => ({
      device_id: deviceId,
      hpke_enc: chance(32),
      wrapped_content_key: chance(48),
    })),
  });
}

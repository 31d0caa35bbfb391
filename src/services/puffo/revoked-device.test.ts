import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostileServer, type HostileServer } from '../../../test/fakes/hostile-server.ts';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { framesRead, recordedAccount, type TestAccount, until } from '../../../test/fakes/puffo-rig.ts';
import { createPuppet, type Puppet } from '../../../test/fakes/puppet.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import { createVirtualClock, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createDeviceCert, createDeviceRevocation } from '../../core/puffo/certificates.ts';
import type { RegistryEntry } from '../../core/puffo/registry-store.ts';
import { createServerDirectory, type ServerDirectory } from './directory.ts';

const crypto = testCrypto;

describe('Revoked device of a peer', () => {
  let server: HostileServer;
  let clock: VirtualClock;
  let directory: ServerDirectory;
  let me: Puppet;
  let peer: Puppet;
  let account: TestAccount;
  let lost: string;

  beforeEach(async () => {
    server = await createHostileServer();
    clock = createVirtualClock();
    const log = createRecordingLog();
    const registryStore = createMemoryRegistryStore();
    directory = createServerDirectory({ serverUrl: server.url, registryStore, crypto, clock, log });
    me = createPuppet(crypto, 'me-0001', { firstSeq: 1, now: clock.now() });
    peer = createPuppet(crypto, 'peer-0002', { firstSeq: 100, now: clock.now() });
    const keys = {
      signingPublicKey: crypto.ed25519KeyPair().public,
      kemPublicKey: crypto.x25519KeyPair().public,
    };
    const cert = createDeviceCert(crypto, rootOf(peer), keys, clock.now());
    lost = cert.device_id;
    server.registry.push(...me.entries, ...peer.entries, entry(200, 'device_cert', cert));
    const random = createSeededRandom(1);
    account = recordedAccount(me.identity, { directory, crypto, clock, random }, { session: me.session });
    account.account.start();
    await account.online();
    expect(await sealedFor('before')).toContain(lost);
  });
  afterEach(async () => {
    await account.account.stop();
    directory.stop();
    await server.stop();
  });

  const rootOf = ({ identity }: Puppet) => crypto.ed25519KeyPair(identity.secrets.root);
  const entry = (seq: number, kind: string, cert: unknown): RegistryEntry => ({
    seq,
    kind,
    slug: 'peer-0002',
    cert,
  });

  /** Sends a message and returns the devices that can open it. */
  async function sealedFor(text: string): Promise<readonly string[]> {
    const before = account.settled.length;
    account.say({ dm: 'peer-0002' }, text);
    await until('sent', () => account.settled[before]);
    const sent = server.requests.filter(({ method, target }) => method === 'POST' && target === '/messages');
    const body = JSON.parse(sent.at(-1)?.body ?? '{}') as { recipients: { device_id: string }[] };
    return body.recipients.map(({ device_id }) => device_id);
  }

  function revoke(): RegistryEntry {
    const at = clock.now();
    const revocation = createDeviceRevocation(crypto, rootOf(peer), {
      deviceId: lost,
      effectiveFrom: at,
      issuedAt: at,
    });
    const listed = entry(300, 'device_revocation', revocation);
    server.registry.push(listed);
    return listed;
  }

  it('T7: gets no more messages as soon as the revocation is announced', async () => {
    server.send({ type: 'cert_update', entry: revoke() });
    await framesRead(server, account);
    const devices = await sealedFor('after');
    expect(devices).not.toContain(lost);
    expect(devices).toContain(peer.device.deviceId);
  });

  it('T7: gets no more messages if the revocation was announced while the connection was down', async () => {
    server.drop();
    revoke();
    const connects = server.connects.length;
    while (server.connects.length === connects) {
      await clock.advance(250);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await account.online();
    expect(await sealedFor('after')).not.toContain(lost);
  });
});

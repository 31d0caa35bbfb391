import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import { createIdentityCert, createSlugBinding } from '../../core/puffo/certificates.ts';
import { admitDevice, spokenFingerprint } from '../../core/puffo/enrolment.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createDisk } from '../../services/disk/disk.ts';
import type { AccountKeys } from '../vault/account-keys.ts';
import { DeviceEnrolment } from './device-enrolment.ts';
import type { NewOperator } from './new-operator.ts';
import type { OpenParts } from './operator.ts';

const crypto = createNobleEngine();
const folder = mkdtempSync(join(tmpdir(), 'kennel-devices-'));
/** A server that returns another account each time it is asked. */
const roots = ['ada-0001', 'eve-0001', 'eve-0002'].map((slug) => ({ slug, root: crypto.ed25519KeyPair() }));
let asked: { nonce: string; device_signing_public_key: string; device_kem_public_key: string } | null = null;
let looks = 0;

function completion() {
  const { slug, root } = roots[Math.min(looks, roots.length - 1)] ?? { slug: '', root: null };
  looks += 1;
  if (!asked || !root) throw new Error('nobody asked');
  const [signingPublicKey, kemPublicKey] = [asked.device_signing_public_key, asked.device_kem_public_key];
  const admitted = admitDevice(crypto, root, { nonce: asked.nonce, signingPublicKey, kemPublicKey }, 1);
  if (!admitted.ok) throw new Error(admitted.error.message);
  return {
    device_cert: admitted.value.deviceCert,
    root_key_envelope: admitted.value.rootKeyEnvelope,
    slug_binding: createSlugBinding(crypto, root, slug, 1),
    identity_cert: createIdentityCert(crypto, root, { type: 'human', operatorRootPublicKey: null }),
  };
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      asked = JSON.parse(Buffer.concat(pieces).toString());
      response.end('{}');
    } else response.end(JSON.stringify({ state: 'complete', completion: completion() }));
  });
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('T7: Device enrolment adopts the confirmed identity, whatever the server answers later', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adopted: Identity[] = [];
  const keys = {
    seal: (_label: string, bytes: Uint8Array) => ok(Buffer.from(bytes).toString('base64')),
    unseal: (_label: string, text: string) => ok(new Uint8Array(Buffer.from(text, 'base64'))),
  };
  const parts = { crypto, keys: keys as unknown as AccountKeys } as OpenParts;
  const newOperator: NewOperator = {
    present: () => ok(null),
    vaultState: () => 'open',
    openVault: async () => ok(parts),
    adopt: async (_parts, identity) => {
      adopted.push(identity);
      return ok(undefined);
    },
  };
  const devices = new DeviceEnrolment({
    newOperator,
    disk: createDisk(createSystemRandom()),
    draftFile: join(folder, 'draft.json'),
    clock: createSystemClock(),
  });
  expect(await devices.begin(url)).toMatchObject({ ok: true });
  const shown = await devices.wait();
  const print = (at: number) => spokenFingerprint(crypto, roots[at]?.root.public ?? new Uint8Array());
  expect(shown).toEqual(ok({ state: 'ready', slug: 'ada-0001', fingerprint: print(0) }));
  expect(await Promise.all([devices.wait(), devices.wait()])).toEqual([shown, shown]);
  expect(await devices.finish(true)).toMatchObject({ ok: true, value: { slug: 'ada-0001' } });
  expect(adopted.map(({ slug }) => slug)).toEqual(['ada-0001']);
});

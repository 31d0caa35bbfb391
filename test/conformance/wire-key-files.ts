/** Key files of puffo-agent: the vault reads them from disk and leaves no unencrypted secret there. */
import { err, ok } from '../../src/contract/result.ts';
import { toBase64Url } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine, DiskPort } from '../../src/core/ports.ts';
import { deviceIdOf } from '../../src/core/puffo/ids.ts';
import { findSubkey } from '../../src/core/puffo/registry.ts';
import { type IdentityFileDeps, loadIdentity, loadSession } from '../../src/services/vault/identity-files.ts';
import { createSecretBox } from '../../src/services/vault/secret-box.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';
import { type CaseResult, expectSame, expectTrue, must, type Suite, testCase } from './case.ts';
import { identityOf, type WireFile } from './wire-world.ts';

/** A folder with the files of one case. */
function memoryDisk(files: Map<string, string>): DiskPort {
  const unused = () => err({ code: 'internal' as const, message: 'not part of this case' });
  return {
    readText: (path) => ok(files.get(path) ?? null),
    write: (path, content) => ok(void files.set(path, content)),
    remove: (path) => ok(void files.delete(path)),
    move: unused,
    folders: unused,
    files: unused,
    quarantine: unused,
  };
}

interface KeyFile {
  readonly slug: string;
  readonly expires_at?: number;
  readonly [member: string]: unknown;
}

function checkSession(deps: IdentityFileDeps, file: WireFile, content: KeyFile): void {
  const session = loadSession(deps, '', content.slug);
  if (!session) throw new Error('the session was not read');
  const owner = identityOf(deps.crypto, file, content.slug);
  const subkey = must(findSubkey(owner, session.subkeyId, session.expiresAt - 1), 'subkey');
  expectSame(toBase64Url(deps.crypto.ed25519KeyPair(session.secret).public), subkey.publicKey, 'public key');
  expectSame(session.expiresAt, content.expires_at, 'expiry');
}

function checkIdentity(deps: IdentityFileDeps, file: WireFile, content: KeyFile): void {
  const { crypto } = deps;
  const identity = must(loadIdentity(deps, '', content.slug), 'key file');
  const known = identityOf(crypto, file, identity.slug);
  const device = crypto.ed25519KeyPair(identity.secrets.deviceSigning).public;
  expectSame(deviceIdOf(crypto, device), identity.deviceId, 'device id');
  expectSame(toBase64Url(crypto.ed25519KeyPair(identity.secrets.root).public), known.rootPublicKey, 'root');
  const kem = known.devices.find((each) => each.deviceId === identity.deviceId)?.kemPublicKey;
  expectSame(toBase64Url(crypto.x25519KeyPair(identity.secrets.kem).public), kem, 'encryption key');
  expectSame(identity.serverUrl, content.server_url, 'server');
  for (const [read, member] of [
    [identity.identityCert, 'identity_cert_json'],
    [identity.slugBinding, 'slug_binding_json'],
  ] as const) {
    const stored = content[member];
    expectSame(read, typeof stored === 'string' ? JSON.parse(stored) : null, member);
  }
}

const keyFile = (engine: CryptoEngine, file: WireFile, name: string, text: string): CaseResult =>
  testCase(name, () => {
    const content = JSON.parse(text) as KeyFile;
    const files = new Map([[name, text]]);
    const deps: IdentityFileDeps = {
      disk: memoryDisk(files),
      crypto: engine,
      clock: createVirtualClock((content.expires_at ?? 1) - 1),
      box: createSecretBox(engine, 'passphrase', 'none', { current: engine.randomBytes(32), retired: [] }),
    };
    (name.endsWith('.session.json') ? checkSession : checkIdentity)(deps, file, content);
    const left = files.get(name) ?? '';
    const secrets = Object.entries(content).filter(([member]) => member.endsWith('_secret_key'));
    expectTrue(secrets.length > 0 && left !== '', 'the file has gone, or held no secret');
    for (const [member, secret] of secrets)
      expectTrue(!left.includes(String(secret)), `${member} is still plain`);
  });

export const keyFiles = (engine: CryptoEngine): Suite => ({
  keystore_files: (value, file) =>
    Object.entries(value as Record<string, string>).map(([name, text]) => keyFile(engine, file, name, text)),
});

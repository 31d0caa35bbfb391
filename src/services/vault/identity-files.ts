/**
 * Identities and sessions on disk (spec §1.8), with wrapped secrets. It promises to read the plain files that
 * puffo-agent and puffo-cli write and to wrap them in place, so that no secret stays in plain text (T18,
 * T19).
 */

import { join } from 'node:path';
import { z } from 'zod';
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isSlug } from '../../contract/room-id.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine, DiskPort, SecretBox } from '../../core/ports.ts';
import type { Identity, IdentitySecrets, Session } from '../../core/puffo/identity.ts';
import { deviceIdOf } from '../../core/puffo/ids.ts';
import {
  deviceCertSchema,
  identityCertSchema,
  slugBindingSchema,
  subkeyCertSchema,
} from '../../core/puffo/wire.ts';
import type { HostMessage, HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { isWrapped } from './secret-box.ts';

export interface IdentityFileDeps {
  readonly disk: DiskPort;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly box: SecretBox;
}

const maxBytes = 256 * 1024;
const secretBytes = 32;

/** Unknown members (e.g. `identity_profile_json`) are kept. */
export const identityFileSchema = z.looseObject({
  slug: z.string(),
  device_id: z.string(),
  root_secret_key: z.string(),
  device_signing_secret_key: z.string(),
  kem_secret_key: z.string(),
  server_url: z.string(),
  slug_binding_json: z.string().optional(),
  identity_cert_json: z.string().optional(),
  device_cert_json: z.string().optional(),
});
type IdentityFile = z.infer<typeof identityFileSchema>;

const sessionFileSchema = z.looseObject({
  slug: z.string(),
  subkey_id: z.string(),
  subkey_secret_key: z.string(),
  expires_at: z.number(),
  subkey_cert_json: z.string().optional(),
});
type SessionFileContent = z.infer<typeof sessionFileSchema>;

const notSlug = (slug: string): Result<never> =>
  err(fail('invalid_input', 'secrets.invalidHandle', { slug }));

const unreadable = (path: string, what: HostText): AppError =>
  fail('corrupt', 'secrets.leftUnchanged', { what }, { help: 'secrets.restoreFile', where: path });

const identityPath = (folder: string, slug: string): string => join(folder, `${slug}.json`);
const sessionPath = (folder: string, slug: string): string => join(folder, `${slug}.session.json`);

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFile<T extends z.ZodType>(disk: DiskPort, path: string, schema: T): Result<z.output<T> | null> {
  const text = disk.readText(path, maxBytes);
  if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
  const parsed = schema.safeParse(tryJson(text.value));
  return parsed.success ? ok(parsed.data) : err(unreadable(path, say('secrets.keyFileUnreadable')));
}

const writeJson = (disk: DiskPort, path: string, value: unknown): Result<void> =>
  disk.write(path, `${JSON.stringify(value, null, 2)}\n`);

export const secretNames = ['root_secret_key', 'device_signing_secret_key', 'kem_secret_key'] as const;
type SecretName = (typeof secretNames)[number] | 'subkey_secret_key';

const labelOf = (slug: string, name: SecretName): string => `identity/${slug}/${name}`;

function openSecret(box: SecretBox, slug: string, name: SecretName, stored: string): Result<Uint8Array> {
  const label = labelOf(slug, name);
  const secret = isWrapped(stored)
    ? box.unwrap(label, stored)
    : ok(fromBase64Url(stored) ?? new Uint8Array());
  if (!secret.ok || secret.value.length === secretBytes) return secret;
  return err(fail('corrupt', 'secrets.invalidStoredKey', {}, { where: label }));
}

/**
 * Parses a certificate from a JSON string; an invalid one counts as absent, because it can be fetched again.
 */
export function certIn<T extends z.ZodType>(schema: T, text: string | undefined): z.output<T> | null {
  const parsed = schema.safeParse(text === undefined ? undefined : tryJson(text));
  return parsed.success ? parsed.data : null;
}

/** Returns an error if the keys do not match the file and its certificates, else `null`. */
export function mismatch(crypto: CryptoEngine, identity: Identity): HostMessage | null {
  const device = crypto.ed25519KeyPair(identity.secrets.deviceSigning).public;
  if (deviceIdOf(crypto, device) !== identity.deviceId) return say('secrets.deviceKeyMismatch');
  const root = toBase64Url(crypto.ed25519KeyPair(identity.secrets.root).public);
  const named = [identity.identityCert, identity.slugBinding, identity.deviceCert];
  return named.some((cert) => cert !== null && cert.root_public_key !== root)
    ? say('secrets.rootKeyMismatch')
    : null;
}

function secretsOf(box: SecretBox, file: IdentityFile): Result<IdentitySecrets> {
  const [root, deviceSigning, kem] = secretNames.map((name) => openSecret(box, file.slug, name, file[name]));
  if (!root?.ok) return root ?? err(fail('internal', 'secrets.rootKeyMissing'));
  if (!deviceSigning?.ok) return deviceSigning ?? err(fail('internal', 'secrets.deviceKeyMissing'));
  if (!kem?.ok) return kem ?? err(fail('internal', 'secrets.encryptionKeyMissing'));
  return ok({ root: root.value, deviceSigning: deviceSigning.value, kem: kem.value });
}

const wrappedSecrets = (box: SecretBox, slug: string, secrets: IdentitySecrets) => ({
  root_secret_key: box.wrap(labelOf(slug, 'root_secret_key'), secrets.root),
  device_signing_secret_key: box.wrap(labelOf(slug, 'device_signing_secret_key'), secrets.deviceSigning),
  kem_secret_key: box.wrap(labelOf(slug, 'kem_secret_key'), secrets.kem),
});

const json = (name: string, value: unknown) => (value === null ? {} : { [name]: JSON.stringify(value) });

export function saveIdentity(deps: IdentityFileDeps, folder: string, identity: Identity): Result<void> {
  const { slug, deviceId, serverUrl, secrets } = identity;
  if (!isSlug(slug)) return notSlug(slug);
  const wrong = mismatch(deps.crypto, identity);
  if (wrong) return err(appError('invalid_input', wrong));
  const path = identityPath(folder, slug);
  const before = readFile(deps.disk, path, identityFileSchema);
  return writeJson(deps.disk, path, {
    ...(before.ok ? before.value : {}),
    slug,
    device_id: deviceId,
    ...wrappedSecrets(deps.box, slug, secrets),
    server_url: serverUrl,
    ...json('slug_binding_json', identity.slugBinding),
    ...json('identity_cert_json', identity.identityCert),
    ...json('device_cert_json', identity.deviceCert),
  });
}

/**
 * `not_found` if the file does not exist; a file with plain secrets is wrapped before its identity is
 * returned.
 */
export function loadIdentity(deps: IdentityFileDeps, folder: string, slug: string): Result<Identity> {
  if (!isSlug(slug)) return notSlug(slug);
  const path = identityPath(folder, slug);
  const file = readFile(deps.disk, path, identityFileSchema);
  if (!file.ok) return file;
  if (!file.value) return err(fail('not_found', 'secrets.keyFileMissing', { slug }, { where: path }));
  if (file.value.slug !== slug) return err(unreadable(path, say('secrets.keyFileMismatch')));
  const secrets = secretsOf(deps.box, file.value);
  if (!secrets.ok) return secrets;
  const identity: Identity = {
    slug,
    deviceId: file.value.device_id,
    serverUrl: file.value.server_url,
    secrets: secrets.value,
    identityCert: certIn(identityCertSchema, file.value.identity_cert_json),
    slugBinding: certIn(slugBindingSchema, file.value.slug_binding_json),
    deviceCert: certIn(deviceCertSchema, file.value.device_cert_json),
  };
  const wrong = mismatch(deps.crypto, identity);
  if (wrong) return err(unreadable(path, wrong));
  const content = file.value;
  if (secretNames.every((name) => isWrapped(content[name]))) return ok(identity);
  const wrapped = writeJson(deps.disk, path, {
    ...content,
    ...wrappedSecrets(deps.box, slug, secrets.value),
  });
  return wrapped.ok ? ok(identity) : wrapped;
}

export function saveSession(
  deps: IdentityFileDeps,
  folder: string,
  slug: string,
  session: Session,
): Result<void> {
  if (!isSlug(slug)) return notSlug(slug);
  const content: SessionFileContent = {
    slug,
    subkey_id: session.subkeyId,
    subkey_secret_key: deps.box.wrap(labelOf(slug, 'subkey_secret_key'), session.secret),
    expires_at: session.expiresAt,
    ...json('subkey_cert_json', session.cert),
  };
  return writeJson(deps.disk, sessionPath(folder, slug), content);
}

/**
 * `null` if no usable session is stored; an expired or damaged one is removed, because a new one costs one
 * request.
 */
export function loadSession(deps: IdentityFileDeps, folder: string, slug: string): Session | null {
  if (!isSlug(slug)) return null;
  const path = sessionPath(folder, slug);
  const file = readFile(deps.disk, path, sessionFileSchema);
  if (file.ok && !file.value) return null;
  const secret =
    file.ok && file.value
      ? openSecret(deps.box, slug, 'subkey_secret_key', file.value.subkey_secret_key)
      : null;
  if (
    !file.ok ||
    !file.value ||
    !secret?.ok ||
    file.value.expires_at <= deps.clock.now() ||
    file.value.slug !== slug
  ) {
    deps.disk.remove(path);
    return null;
  }
  const session: Session = {
    subkeyId: file.value.subkey_id,
    secret: secret.value,
    expiresAt: file.value.expires_at,
    cert: certIn(subkeyCertSchema, file.value.subkey_cert_json),
  };
  if (isWrapped(file.value.subkey_secret_key)) return session;
  return saveSession(deps, folder, slug, session).ok ? session : null;
}

/**
 * An identity as puffo-agent and puffo-cli store it (spec §1.8), with plain secrets: read when a user imports
 * one, written only into an encrypted bundle.
 */
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { deviceCertSchema, identityCertSchema, slugBindingSchema } from '../../core/puffo/wire.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { certIn, identityFileSchema, mismatch, secretNames } from './identity-files.ts';
import { isWrapped } from './secret-box.ts';

const unreadable = (message: HostMessage): Result<never> => err(appError('corrupt', message));

/** `locked` if its secrets are wrapped by another vault. */
export function parseIdentity(crypto: CryptoEngine, text: string): Result<Identity> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return unreadable(say('secrets.keyFileNotJson'));
  }
  const parsed = identityFileSchema.safeParse(json);
  if (!parsed.success) return unreadable(say('secrets.keyFileUnreadable'));
  const file = parsed.data;
  if (secretNames.some((name) => isWrapped(file[name]))) {
    return err(fail('locked', 'secrets.wrappedByAnotherVault'));
  }
  const [root, deviceSigning, kem] = secretNames.map((name) => fromBase64Url(file[name]));
  if (root?.length !== 32 || deviceSigning?.length !== 32 || kem?.length !== 32) {
    return unreadable(say('secrets.invalidFileKey'));
  }
  const identity: Identity = {
    slug: file.slug,
    deviceId: file.device_id,
    serverUrl: file.server_url,
    secrets: { root, deviceSigning, kem },
    identityCert: certIn(identityCertSchema, file.identity_cert_json),
    slugBinding: certIn(slugBindingSchema, file.slug_binding_json),
    deviceCert: certIn(deviceCertSchema, file.device_cert_json),
  };
  const wrong = mismatch(crypto, identity);
  return wrong ? unreadable(wrong) : ok(identity);
}

const json = (name: string, value: unknown) => (value === null ? {} : { [name]: JSON.stringify(value) });

export function identityText(identity: Identity): string {
  const { secrets } = identity;
  const file = {
    slug: identity.slug,
    device_id: identity.deviceId,
    root_secret_key: toBase64Url(secrets.root),
    device_signing_secret_key: toBase64Url(secrets.deviceSigning),
    kem_secret_key: toBase64Url(secrets.kem),
    server_url: identity.serverUrl,
    ...json('slug_binding_json', identity.slugBinding),
    ...json('identity_cert_json', identity.identityCert),
    ...json('device_cert_json', identity.deviceCert),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

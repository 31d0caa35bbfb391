/**
 * The plain key files of puffo-agent (spec §1.8): `<slug>.json` and `<slug>.session.json`, secrets in clear. Kennel reads
 * them to take an identity over and can write the same text; what it keeps on disk itself is wrapped by the vault.
 */
import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import { parseObject } from './canonical-json.ts';
import type { Identity, Session } from './identity.ts';
import { refuse } from './refusal.ts';
import { deviceCertSchema, identityCertSchema, slugBindingSchema } from './wire.ts';

const secret = z.string().transform((text, context) => {
  const bytes = fromBase64Url(text);
  if (bytes?.length === 32) return bytes;
  context.addIssue({ code: 'custom', message: 'is not a 32-byte key' });
  return z.NEVER;
});

/** Certificates are stored as strings that hold JSON; a string that does not is treated as absent. */
const embedded = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .nullish()
    .transform((text): T | null => {
      const value = text ? parseObject(text) : null;
      const parsed = value?.ok ? schema.safeParse(value.value) : null;
      return parsed?.success ? parsed.data : null;
    });

const keyFileSchema = z.looseObject({
  slug: z.string().min(1),
  device_id: z.string().min(1),
  root_secret_key: secret,
  device_signing_secret_key: secret,
  kem_secret_key: secret,
  server_url: z.string(),
  identity_cert_json: embedded(identityCertSchema),
  slug_binding_json: embedded(slugBindingSchema),
  device_cert_json: embedded(deviceCertSchema),
});

const sessionFileSchema = z.looseObject({
  slug: z.string().min(1),
  subkey_id: z.string().min(1),
  subkey_secret_key: secret,
  expires_at: z.number().int().min(0),
});

function read<S extends z.ZodType>(schema: S, text: string, name: string): Result<z.infer<S>> {
  const object = parseObject(text);
  if (!object.ok) return err({ ...object.error, message: `${name} is not readable: it is not JSON.` });
  const parsed = schema.safeParse(object.value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return refuse(
    'malformed',
    `${name} is not readable: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.`,
  );
}

/** Error: `malformed`, naming the member but never its value. */
export function readKeyFile(text: string): Result<Identity> {
  const file = read(keyFileSchema, text, 'The key file');
  if (!file.ok) return file;
  const it = file.value;
  return ok({
    slug: it.slug,
    deviceId: it.device_id,
    serverUrl: it.server_url,
    secrets: {
      root: it.root_secret_key,
      deviceSigning: it.device_signing_secret_key,
      kem: it.kem_secret_key,
    },
    identityCert: it.identity_cert_json,
    slugBinding: it.slug_binding_json,
    deviceCert: it.device_cert_json,
  });
}

/** Expired sessions are returned like others; the caller has the clock. */
export function readSessionFile(text: string): Result<Session & { readonly slug: string }> {
  const file = read(sessionFileSchema, text, 'The session file');
  if (!file.ok) return file;
  const { slug, subkey_id: subkeyId, subkey_secret_key: key, expires_at: expiresAt } = file.value;
  return ok({ slug, subkeyId, secret: key, expiresAt, cert: null });
}

const pretty = (members: Record<string, unknown>): string => JSON.stringify(members, null, 2);

/** The separators of the original's embedded JSON: a blank after each colon and comma outside strings. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`)
    .join(', ')}}`;
};

/** The text that puffo-agent reads. It holds secrets in clear: for export on the person's own wish only. */
export function keyFileText(identity: Identity): string {
  return pretty({
    slug: identity.slug,
    device_id: identity.deviceId,
    root_secret_key: toBase64Url(identity.secrets.root),
    device_signing_secret_key: toBase64Url(identity.secrets.deviceSigning),
    kem_secret_key: toBase64Url(identity.secrets.kem),
    server_url: identity.serverUrl,
    ...(identity.slugBinding ? { slug_binding_json: spaced(identity.slugBinding) } : {}),
    ...(identity.identityCert ? { identity_cert_json: spaced(identity.identityCert) } : {}),
  });
}

export const sessionFileText = (slug: string, session: Session): string =>
  pretty({
    slug,
    subkey_id: session.subkeyId,
    subkey_secret_key: toBase64Url(session.secret),
    expires_at: session.expiresAt,
  });

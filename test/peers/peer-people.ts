/**
 * Registry entries of people (spec §2.2), followed by sequence number and accepted only with valid
 * signatures.
 */
import type { SignedRequests } from './peer-http.ts';
import { deviceIdOf, holds, type Json } from './peer-keys.ts';

export interface Known {
  readonly root: string;
  readonly operatorRoot: string | null;
  /** Encryption key by device id. */
  readonly devices: ReadonlyMap<string, string>;
  /** Signing key by subkey id. */
  readonly subkeys: ReadonlyMap<string, string>;
}

interface Entry {
  readonly seq: number;
  readonly kind: string;
  readonly slug: string;
  readonly cert: Json;
}

const at = (value: unknown, ...path: readonly string[]): string => {
  let found: unknown = value;
  for (const name of path) found = (found as Record<string, unknown> | undefined)?.[name];
  return typeof found === 'string' ? found : '';
};

export function fold(slug: string, entries: readonly Entry[]): Known {
  const of = (kind: string): readonly Json[] =>
    entries.filter((entry) => entry.slug === slug && entry.kind === kind).map(({ cert }) => cert);
  const [identity] = of('identity_cert');
  const root = at(identity, 'root_public_key');
  const bound = of('slug_binding').some(
    (cert) =>
      cert.slug === slug && at(cert, 'root_public_key') === root && holds(cert, 'self_signature', root),
  );
  if (!identity || !bound || !holds(identity, 'self_signature', root)) throw new Error(`${slug} is nobody`);
  const revoked = of('device_revocation')
    .filter((cert) => holds(cert, 'signature', root))
    .map((cert) => at(cert, 'device_id'));
  const devices = new Map<string, string>();
  const signing = new Map<string, string>();
  for (const cert of of('device_cert')) {
    const id = at(cert, 'device_id');
    const key = at(cert, 'keys', 'signing', 'public_key');
    if (!holds(cert, 'signature', root) || deviceIdOf(key) !== id || revoked.includes(id)) continue;
    signing.set(id, key);
    devices.set(id, at(cert, 'keys', 'encryption', 'public_key'));
  }
  const subkeys = new Map<string, string>();
  for (const cert of of('subkey_cert')) {
    const device = signing.get(at(cert, 'device_id'));
    if (device && holds(cert, 'signature', device)) {
      subkeys.set(at(cert, 'subkey_id'), at(cert, 'subkey_public_key'));
    }
  }
  return { root, operatorRoot: at(identity, 'declared_operator_public_key') || null, devices, subkeys };
}

export async function lookUp(requests: SignedRequests, slug: string): Promise<Known> {
  const entries: Entry[] = [];
  for (;;) {
    const since = entries.at(-1)?.seq ?? 0;
    const { json } = await requests.ask('GET', `/certs/sync?slugs=${slug}&since=${since}`);
    const page = json as unknown as { readonly entries: readonly Entry[]; readonly has_more: boolean };
    entries.push(...page.entries);
    if (!page.has_more || page.entries.length === 0) return fold(slug, entries);
  }
}

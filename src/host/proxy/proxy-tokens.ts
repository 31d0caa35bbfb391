/**
 * Tokens of the stream proxy: 256 random bits, stored as digests and compared in constant time (T1). Cached,
 * because only this host writes the file while it holds the lock.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { findBySecret, secretDigest } from '../../platform/same-secret.ts';
import { recordFile } from '../stores/record-file.ts';

const fileSchema = z.object({
  version: z.literal(1),
  tokens: z.array(
    z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/), createdAt: z.number() }),
  ),
});
type Token = z.infer<typeof fileSchema>['tokens'][number];

const prefix = 'kennel_';
const maxTokens = 200;

export interface ProxyTokens {
  /** Returns the token, which is never shown again. */
  create(name: string): Result<string>;
  list(): Result<readonly { readonly name: string; readonly createdAt: number }[]>;
  revoke(name: string): Result<void>;
  /** Name of the token, or `null` if it is unknown. */
  whose(token: string): string | null;
}

export function createProxyTokens(deps: {
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly path: string;
  /** Registers a token for redaction in the log. */
  readonly addSecret: (secret: string) => void;
}): ProxyTokens {
  const file = recordFile(deps.disk, deps.path, fileSchema);
  let remembered: readonly Token[] | null = null;

  const read = (): Result<readonly Token[]> => {
    if (remembered) return ok(remembered);
    const found = file.read();
    if (!found.ok) return found;
    remembered = found.value?.tokens ?? [];
    return ok(remembered);
  };
  const write = (tokens: readonly Token[]): Result<void> => {
    const written = file.write({ version: 1, tokens: [...tokens] });
    if (written.ok) remembered = tokens;
    return written;
  };

  return {
    create(name) {
      const known = read();
      if (!known.ok) return known;
      if (known.value.some((token) => token.name === name)) return err(taken(name));
      if (known.value.length >= maxTokens) return err(tooMany);
      const token = prefix + randomBytes(32).toString('base64url');
      deps.addSecret(token);
      const entry = { name, sha256: secretDigest(token).toString('hex'), createdAt: deps.clock.now() };
      const written = write([...known.value, entry]);
      return written.ok ? ok(token) : written;
    },
    list() {
      const known = read();
      return known.ok ? ok(known.value.map(({ name, createdAt }) => ({ name, createdAt }))) : known;
    },
    revoke(name) {
      const known = read();
      if (!known.ok) return known;
      const rest = known.value.filter((token) => token.name !== name);
      return rest.length === known.value.length ? err(unknown(name)) : write(rest);
    },
    whose(token) {
      const known = read();
      if (!known.ok) return null;
      return findBySecret(known.value, ({ sha256 }) => Buffer.from(sha256, 'hex'), token)?.name ?? null;
    },
  };
}

const taken = (name: string) =>
  fail('conflict', 'proxy.tokenTaken', { name }, { help: 'proxy.chooseNameOrRevoke' });
const unknown = (name: string) =>
  fail('not_found', 'proxy.unknownToken', { name }, { help: 'proxy.listTokens' });
const tooMany = fail('conflict', 'proxy.tooManyTokens', { maxTokens }, { help: 'proxy.revokeTokens' });

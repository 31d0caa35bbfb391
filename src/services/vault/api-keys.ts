/**
 * API keys, wrapped, in `secrets.json`. It promises to store none while only the demo's plain key file could
 * protect it (T20), and to move a damaged file aside instead of overwriting it.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import type { Clock, DiskPort, Log, SecretBox } from '../../core/ports.ts';
import { unwrapText } from './vault.ts';

/**
 * `agent:<id>`, `provider:<name>`, the tokens of a login: `login:<provider>`, a value of an MCP server:
 * `mcp:<server>:<name>`, or the tokens of one: `mcp-tokens:<server>`.
 */
export type KeyScope = `${'agent' | 'provider' | 'login' | 'mcp' | 'mcp-tokens'}:${string}`;

export interface ApiKeys {
  /** `null` if none is stored; `locked` while the vault is closed. */
  get(scope: KeyScope): Result<string | null>;
  /** Works without opening the vault. */
  has(scope: KeyScope): boolean;
  set(scope: KeyScope, key: string): Result<void>;
  delete(scope: KeyScope): Result<void>;
}

export interface ApiKeyDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly log: Log;
  /** `null` while the vault is closed. */
  readonly box: () => SecretBox | null;
}

const fileSchema = z.object({ version: z.literal(1), api_keys: z.record(z.string(), z.string()) });
const maxBytes = 4 * 1024 * 1024;

const closed = fail('locked', 'secrets.storedKeysLocked', {}, { help: 'secrets.unlockOrTypePassphrase' });
const onlyDemo = fail('insecure_storage', 'secrets.keyNotStored', {}, { help: 'secrets.unlockAndSetKey' });

export function createApiKeys({ home, disk, clock, log, box }: ApiKeyDeps): ApiKeys {
  const path = join(home, 'secrets.json');
  const read = (): Result<ReadonlyMap<string, string>> => {
    const text = disk.readText(path, maxBytes);
    if (!text.ok) return text;
    if (text.value === null) return ok(new Map());
    const parsed = fileSchema.safeParse(tryJson(text.value));
    if (parsed.success) return ok(new Map(Object.entries(parsed.data.api_keys)));
    const moved = disk.quarantine(path, clock.now());
    log.error('secrets_quarantined', { path, movedTo: moved.ok ? moved.value : null });
    return moved.ok ? ok(new Map()) : moved;
  };
  const write = (keys: ReadonlyMap<string, string>): Result<void> =>
    disk.write(path, `${JSON.stringify({ version: 1, api_keys: Object.fromEntries(keys) }, null, 2)}\n`);
  return {
    get: (scope) => {
      const keys = read();
      if (!keys.ok) return keys;
      const wrapped = keys.value.get(scope);
      if (wrapped === undefined) return ok(null);
      const opened = box();
      return opened ? unwrapText(opened, `api-key/${scope}`, wrapped) : err(closed);
    },
    has: (scope) => {
      const keys = read();
      return keys.ok && keys.value.has(scope);
    },
    set: (scope, key) => {
      const opened = box();
      if (!opened) return err(closed);
      if (opened.kind === 'demo-file') return err(onlyDemo);
      const keys = read();
      return keys.ok
        ? write(new Map([...keys.value, [scope, opened.wrap(`api-key/${scope}`, utf8(key))]]))
        : keys;
    },
    delete: (scope) => {
      const keys = read();
      if (!keys.ok || !keys.value.has(scope)) return keys.ok ? ok(undefined) : keys;
      const rest = new Map(keys.value);
      rest.delete(scope);
      return write(rest);
    },
  };
}

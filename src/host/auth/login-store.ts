/**
 * One login record per provider, wrapped by the vault beside the API keys. Cached after the first read
 * because only this host writes them.
 */

import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { type LoginRecord, loginRecordSchema } from '../../core/models/oauth.ts';
import type { ApiKeys as StoredKeys } from '../../services/vault/api-keys.ts';

export interface LoginStore {
  /** `null` without a record; `locked` while the vault is closed. */
  get(provider: string): Result<LoginRecord | null>;
  /** Works while the vault is closed. */
  has(provider: string): boolean;
  set(provider: string, record: LoginRecord): Result<void>;
  remove(provider: string): Result<void>;
  forget(): void;
}

export function createLoginStore(deps: {
  readonly stored: StoredKeys;
  /** Registers a token for redaction in the log. */
  readonly addSecret: (secret: string) => void;
}): LoginStore {
  const { stored, addSecret } = deps;
  const remembered = new Map<string, LoginRecord | null>();
  const hide = ({ access, refresh }: LoginRecord): void => {
    addSecret(access);
    if (refresh !== null) addSecret(refresh);
  };
  return {
    get(provider) {
      const known = remembered.get(provider);
      if (known !== undefined) return ok(known);
      const found = stored.get(`login:${provider}`);
      if (!found.ok) return found;
      const record = found.value === null ? ok(null) : readRecord(found.value);
      if (!record.ok) return record;
      if (record.value) hide(record.value);
      remembered.set(provider, record.value);
      return record;
    },
    has: (provider) => stored.has(`login:${provider}`),
    set(provider, record) {
      hide(record);
      remembered.delete(provider);
      return stored.set(`login:${provider}`, JSON.stringify(record));
    },
    remove(provider) {
      remembered.delete(provider);
      return stored.delete(`login:${provider}`);
    },
    forget: () => remembered.clear(),
  };
}

function readRecord(text: string): Result<LoginRecord> {
  const record = jsonAs(loginRecordSchema, text);
  if (record) return ok(record);
  return err(fail('corrupt', 'logins.loginUnreadable', {}, { help: 'logins.logOutAndIn' }));
}

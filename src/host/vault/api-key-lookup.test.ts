import { describe, expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { LoginRecord } from '../../core/models/oauth.ts';
import type { ApiKeys, KeyScope } from '../../services/vault/api-keys.ts';
import { createLoginStore } from '../auth/login-store.ts';
import { createApiKeyLookup } from './api-key-lookup.ts';

const login: LoginRecord = {
  access: 'token',
  refresh: 'again',
  expiresAt: 1_000,
  account: '',
  kind: 'oauth',
  refused: false,
};

function lookup(kept: Partial<Record<KeyScope, string>>, env: Record<string, string> = {}) {
  const store = new Map(Object.entries(kept)) as Map<KeyScope, string>;
  const stored: ApiKeys = {
    get: (scope) => ok(store.get(scope) ?? null),
    has: (scope) => store.has(scope),
    set: (scope, key) => ok(void store.set(scope, key)),
    delete: (scope) => ok(void store.delete(scope)),
  };
  const addSecret = (): void => undefined;
  const logins = createLoginStore({ stored, addSecret });
  return createApiKeyLookup({ stored, logins, env, addSecret, nowMs: () => 5_000 });
}
const record = (change: Partial<LoginRecord> = {}): string => JSON.stringify({ ...login, ...change });

describe('API key lookup', () => {
  const env = { OPENAI_API_KEY: 'from-environment' };
  const all = {
    'agent:a': 'own',
    'login:openai': record(),
    'provider:openai': 'stored',
  } as const;

  it('prefers the agent key, then the login, the stored key and the environment', () => {
    const { 'agent:a': _own, ...shared } = all;
    const { 'login:openai': _login, ...keyOnly } = shared;
    expect(lookup(all, env).find('a', 'openai')).toEqual({ key: 'own', source: 'agent', auth: 'api_key' });
    const found = { key: 'token', source: 'login', auth: 'oauth' };
    expect(lookup(shared, env).find('a', 'openai')).toEqual(found);
    expect(lookup(keyOnly, env).find('a', 'openai')).toMatchObject({ key: 'stored', source: 'daemon' });
    expect(lookup({}, env).find('a', 'openai')).toMatchObject({ key: 'from-environment' });
    expect(lookup({}).find('a', 'openai')).toBeNull();
  });

  it('falls back to the stored key if the login expired without renewal or is damaged', () => {
    for (const over of [record({ refused: true }), record({ refresh: null }), 'damaged']) {
      const keys = lookup({ 'login:openai': over, 'provider:openai': 'stored' });
      expect(keys.find('a', 'openai')).toMatchObject({ key: 'stored', auth: 'api_key' });
    }
  });

  it('falls back to the environment after the stored key is removed', () => {
    const keys = lookup(all, env);
    expect(keys.source('openai')).toBe('stored');
    keys.removeForProvider('openai');
    expect(keys.source('openai')).toBe('environment');
  });
});

import type { Result } from '../../contract/result.ts';
import type { FoundKey } from '../../core/models/choose-model.ts';
import { isOver } from '../../core/models/oauth.ts';
import { providerIds } from '../../core/models/providers.ts';
import { environmentKey } from '../../services/config/environment-keys.ts';
import type { KeyScope, ApiKeys as StoredKeys } from '../../services/vault/api-keys.ts';
import type { LoginStore } from '../auth/login-store.ts';
import type { ApiKeySecrets } from './secrets.ts';

/**
 * API keys from the wrapped store and the environment. Only this host writes the store while it holds the
 * lock, so each key is cached after the first read: a list of a thousand agents looks up thousands of keys.
 */
const lockedKey = '(locked)';

export function createApiKeyLookup(deps: {
  readonly stored: StoredKeys;
  readonly logins: LoginStore;
  readonly nowMs: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Registers a key for redaction in the log. */
  readonly addSecret: (secret: string) => void;
}): ApiKeySecrets & { forget(): void } {
  const { stored, logins, env } = deps;
  const remembered = new Map<KeyScope, string | null>();

  const read = (scope: KeyScope): string | null => {
    const known = remembered.get(scope);
    if (known !== undefined) return known;
    const found = stored.get(scope);
    // A stored but locked key counts as present: no agent runs before the vault opens, and a list must not
    // report it as missing.
    if (!found.ok) return found.error.code === 'locked' && stored.has(scope) ? lockedKey : null;
    if (found.value) deps.addSecret(found.value);
    remembered.set(scope, found.value);
    return found.value;
  };
  const fromEnvironment = (provider: string): string | null => {
    const value = environmentKey(provider, env);
    if (value) deps.addSecret(value);
    return value;
  };
  const write = (scope: KeyScope, change: () => Result<void>): Result<void> => {
    const done = change();
    remembered.delete(scope);
    return done;
  };

  const loginToken = (provider: string): string | null => {
    if (!logins.has(provider)) return null;
    const found = logins.get(provider);
    if (!found.ok) return found.error.code === 'locked' ? lockedKey : null;
    const { value: record } = found;
    const over = !record || record.refused || (record.refresh === null && isOver(record, deps.nowMs()));
    return over ? null : record.access;
  };
  const source = (provider: string): 'stored' | 'environment' | 'none' => {
    if (stored.has(`provider:${provider}`)) return 'stored';
    return fromEnvironment(provider) ? 'environment' : 'none';
  };

  return {
    find(agentId, provider): FoundKey | null {
      const own = read(`agent:${agentId}`);
      if (own) return { key: own, source: 'agent', auth: 'api_key' };
      const token = loginToken(provider);
      if (token) return { key: token, source: 'login', auth: 'oauth' };
      const daemon = read(`provider:${provider}`);
      if (daemon) return { key: daemon, source: 'daemon', auth: 'api_key' };
      const environment = fromEnvironment(provider);
      return environment ? { key: environment, source: 'environment', auth: 'api_key' } : null;
    },
    hasOwn: (agentId) => stored.has(`agent:${agentId}`),
    setForAgent: (agentId, key) => write(`agent:${agentId}`, () => stored.set(`agent:${agentId}`, key)),
    setForProvider: (provider, key) =>
      write(`provider:${provider}`, () => stored.set(`provider:${provider}`, key)),
    removeForAgent: (agentId) => write(`agent:${agentId}`, () => stored.delete(`agent:${agentId}`)),
    removeForProvider: (provider) =>
      write(`provider:${provider}`, () => stored.delete(`provider:${provider}`)),
    source,
    overview() {
      const usual = ['anthropic', 'openai', 'google'];
      const names = providerIds.filter((name) => usual.includes(name) || source(name) !== 'none');
      return Object.fromEntries(names.map((name) => [name, source(name)]));
    },
    forget: () => remembered.clear(),
  };
}

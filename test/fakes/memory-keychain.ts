/** A keychain in memory that can be locked, slow to answer, or replaced by another one. */
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { KeychainPort } from '../../src/core/ports.ts';

export interface MemoryKeychain extends KeychainPort {
  readonly items: Map<string, Uint8Array>;
  /** `silent` never answers. */
  mode: 'open' | 'locked' | 'silent';
}

export function createMemoryKeychain(backend = 'test-keychain'): MemoryKeychain {
  const items = new Map<string, Uint8Array>();
  const answer = async <T>(work: () => T) => {
    if (keychain.mode === 'silent') return new Promise<never>(() => undefined);
    if (keychain.mode === 'locked') return err(textError('unavailable', 'The keychain is locked.'));
    return ok(work());
  };
  const keychain: MemoryKeychain = {
    backend,
    items,
    mode: 'open',
    get: (account) => answer(() => items.get(account) ?? null),
    set: (account, value) => answer(() => void items.set(account, value)),
    delete: (account) => answer(() => void items.delete(account)),
  };
  return keychain;
}

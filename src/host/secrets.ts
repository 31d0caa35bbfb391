import type { HostView } from '../contract/model.ts';
import type { Result } from '../contract/result.ts';
import type { FoundKey } from '../core/models/choose-model.ts';
import type { AccountKeys } from './account-keys.ts';
import type { LoginStore } from './auth/login-store.ts';

/** The vault and what it wraps, as the host uses it. */
export interface Secrets {
  /** `none`: there is no vault yet; `locked`: there is one and it needs its passphrase or keychain. */
  state(): 'none' | 'open' | 'locked';
  view(): HostView['vault'];
  /** Null until the vault is open. */
  keys(): AccountKeys | null;
  /** Opens a vault that exists; makes none. */
  open(): Promise<Result<void>>;
  /** Opens or makes one, with the demo's key file where there is neither keychain nor passphrase. */
  openForDemo(): Promise<Result<void>>;
  /** Opens or makes one that may hold real identities and keys; `insecure_storage` without keychain or passphrase. */
  openForReal(): Promise<Result<void>>;
  /** Opens with this passphrase, makes a vault with it, or replaces the demo's key file by it. */
  unlock(passphrase: string): Promise<Result<void>>;
  /** Deletes the vault: key file, record, and the keychain's item. */
  erase(): Promise<Result<void>>;
  readonly apiKeys: ApiKeys;
  readonly logins: LoginStore;
}

export interface ApiKeys {
  /** Agent, login, daemon, environment, in this order. The token of a login may have to be renewed before its use. */
  find(agentId: string, provider: string): FoundKey | null;
  hasOwn(agentId: string): boolean;
  setForAgent(agentId: string, key: string): Result<void>;
  setForProvider(provider: string, key: string): Result<void>;
  removeForAgent(agentId: string): Result<void>;
  removeForProvider(provider: string): Result<void>;
  /** Where the key for all agents comes from. */
  source(provider: string): 'stored' | 'environment' | 'none';
  /** Where each provider's key comes from: `stored`, `environment` or `none`. */
  overview(): Readonly<Record<string, string>>;
}

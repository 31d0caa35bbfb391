import type { HostView } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { FoundKey } from '../../core/models/choose-model.ts';
import type { ApiKeys } from '../../services/vault/api-keys.ts';
import type { LoginStore } from '../auth/login-store.ts';
import type { AccountKeys } from './account-keys.ts';

/** The vault and the secrets that it wraps. */
export interface Secrets {
  /** `none` if no vault exists; `locked` if it needs its passphrase or keychain. */
  state(): 'none' | 'open' | 'locked';
  view(): HostView['vault'];
  /** `null` while the vault is closed. */
  keys(): AccountKeys | null;
  /** Opens an existing vault; creates none. */
  open(): Promise<Result<void>>;
  /** Opens or creates a vault, with the demo's key file without keychain and passphrase. */
  openForDemo(): Promise<Result<void>>;
  /**
   * Opens or creates a vault for real identities and keys; `insecure_storage` without keychain and
   * passphrase.
   */
  openForReal(): Promise<Result<void>>;
  /** Opens or creates a vault with this passphrase, or replaces the demo's key file by it. */
  unlock(passphrase: string): Promise<Result<void>>;
  hasPassphrase(): boolean;
  /** Whether this passphrase opens the vault; changes nothing. */
  check(passphrase: string): Promise<Result<void>>;
  /** Replaces the passphrase of the vault; `conflict` if a passphrase does not hold it. */
  changePassphrase(former: string, next: string): Promise<Result<void>>;
  /** Deletes the vault: key file, record and keychain item. */
  erase(): Promise<Result<void>>;
  readonly apiKeys: ApiKeySecrets;
  readonly logins: LoginStore;
  /** Values of MCP servers, and their tokens. */
  readonly mcp: Pick<ApiKeys, 'get' | 'set' | 'delete'>;
}

export interface ApiKeySecrets {
  /** Priority: agent, login, daemon, environment. A login's token may need renewal before use. */
  find(agentId: string, provider: string): FoundKey | null;
  hasOwn(agentId: string): boolean;
  setForAgent(agentId: string, key: string): Result<void>;
  setForProvider(provider: string, key: string): Result<void>;
  removeForAgent(agentId: string): Result<void>;
  removeForProvider(provider: string): Result<void>;
  /** Source of the key that all agents share. */
  source(provider: string): 'stored' | 'environment' | 'none';
  overview(): Readonly<Record<string, string>>;
}

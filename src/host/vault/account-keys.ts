import type { Result } from '../../contract/result.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { SessionFile } from '../../services/puffo/subkeys.ts';

/** Wrapped keys of accounts and stores on disk; every call needs an open vault. */
export interface AccountKeys {
  loadIdentity(folder: string, slug: string): Result<Identity>;
  saveIdentity(folder: string, identity: Identity): Result<void>;
  sessions(folder: string, slug: string): SessionFile;
  /** The key of an encrypted store, in a file beside it; created on first use. */
  storeKey(storePath: string): Result<Uint8Array>;
  /** Encrypts bytes that only the same label decrypts. */
  seal(label: string, secret: Uint8Array): Result<string>;
  /** `corrupt` if this vault did not seal the text under this label. */
  unseal(label: string, sealed: string): Result<Uint8Array>;
}

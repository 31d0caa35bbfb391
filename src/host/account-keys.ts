import type { Result } from '../contract/result.ts';
import type { Identity } from '../core/puffo/identity.ts';
import type { SessionFile } from '../services/puffo/subkeys.ts';

/** Keys of accounts and stores as they lie on disk, wrapped; every call needs the vault to be open. */
export interface AccountKeys {
  loadIdentity(folder: string, slug: string): Result<Identity>;
  saveIdentity(folder: string, identity: Identity): Result<void>;
  sessions(folder: string, slug: string): SessionFile;
  /** The key of an encrypted store beside it, made at first use. */
  storeKey(storePath: string): Result<Uint8Array>;
  /** A text that opens only under the same label. */
  seal(label: string, secret: Uint8Array): Result<string>;
  /** `corrupt` when it was not sealed here under this label. */
  unseal(label: string, sealed: string): Result<Uint8Array>;
}

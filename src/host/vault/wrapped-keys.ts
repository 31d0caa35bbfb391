import { ok } from '../../contract/result.ts';
import type { Clock, CryptoEngine, DiskPort, Log, SecretBox } from '../../core/ports.ts';
import { loadIdentity, loadSession, saveIdentity, saveSession } from '../../services/vault/identity-files.ts';
import { storeKey } from '../../services/vault/store-key.ts';
import type { AccountKeys } from './account-keys.ts';

export interface AccountKeysDeps {
  readonly disk: DiskPort;
  readonly crypto: CryptoEngine;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
}

/** Identities, sessions and store keys, wrapped by `box`. */
export function accountKeys({ disk, crypto, box, clock, log }: AccountKeysDeps): AccountKeys {
  const files = { disk, crypto, clock, box };
  return {
    loadIdentity: (folder, slug) => loadIdentity(files, folder, slug),
    saveIdentity: (folder, identity) => saveIdentity(files, folder, identity),
    sessions: (folder, slug) => ({
      load: () => loadSession(files, folder, slug),
      save: (session) => {
        const saved = saveSession(files, folder, slug, session);
        if (!saved.ok) log.warn('session_not_saved', { slug, message: saved.error.message });
      },
    }),
    seal: (label, secret) => ok(box.wrap(label, secret)),
    unseal: (label, sealed) => box.unwrap(label, sealed),
    storeKey: (path) => storeKey({ disk, crypto, box }, path),
  };
}

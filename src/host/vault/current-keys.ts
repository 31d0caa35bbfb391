import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Secrets } from './secrets.ts';

const locked = fail('locked', 'programs.secretsLocked', {}, { help: 'approvals.runUnlock' });

/** Uses the vault that is open at the moment of each call, because the vault may move while the host runs. */
export function currentKeys(secrets: Secrets): AccountKeys {
  return {
    loadIdentity: (folder, slug) => secrets.keys()?.loadIdentity(folder, slug) ?? err(locked),
    saveIdentity: (folder, identity) => secrets.keys()?.saveIdentity(folder, identity) ?? err(locked),
    sessions: (folder, slug) => ({
      load: () => secrets.keys()?.sessions(folder, slug).load() ?? null,
      save: (session) => secrets.keys()?.sessions(folder, slug).save(session),
    }),
    seal: (label, secret) => secrets.keys()?.seal(label, secret) ?? err(locked),
    unseal: (label, sealed) => secrets.keys()?.unseal(label, sealed) ?? err(locked),
    storeKey: (path) => secrets.keys()?.storeKey(path) ?? err(locked),
  };
}

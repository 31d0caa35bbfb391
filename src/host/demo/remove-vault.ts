import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import { embeddedName, type Layout } from '../layout.ts';
import type { Secrets } from '../vault/secrets.ts';
import { vaultUsers } from './vault-users.ts';

export interface VaultRemovalDeps {
  readonly disk: DiskPort;
  readonly layout: Layout;
  readonly secrets: Pick<Secrets, 'view' | 'erase'>;
  /** Erases the stores that the vault's keys open. */
  eraseStores(): Promise<Result<void>>;
}

/** Deletes the cached identities of the demo's relay; other servers keep theirs. */
export function forgetRelayRegistry({
  disk,
  layout,
}: Pick<VaultRemovalDeps, 'disk' | 'layout'>): Result<void> {
  const store = join(layout.registry, `${embeddedName}.db`);
  for (const suffix of ['', '-wal', '-shm', '.key']) {
    const gone = disk.remove(store + suffix);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}

/**
 * Keeps the vault if it still protects something, or if the user chose its passphrase before the demo.
 * Returns what had to stay, or an empty text.
 */
export async function removeVault(deps: VaultRemovalDeps, isDemoVault: boolean): Promise<Result<string>> {
  const { disk, layout, secrets } = deps;
  const users = vaultUsers({ disk, layout });
  if (users.length > 0)
    return ok(`The key that opens your secrets was kept, because it is still needed: ${users.join('; ')}.`);
  if (!isDemoVault && secrets.view().kind === 'passphrase') return ok('');
  const erased = await deps.eraseStores();
  const emptied = erased.ok ? disk.remove(layout.apiKeys) : erased;
  const gone = emptied.ok ? await secrets.erase() : emptied;
  return gone.ok ? ok('') : gone;
}

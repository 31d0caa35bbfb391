/**
 * The passphrase that opens a locked window. The vault's own passphrase is used if there is one; otherwise
 * the operator sets one for the lock, of which only a slow hash is kept. Guessing is slowed down.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import type { LockKind } from '../../contract/lock-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import { passphraseKey, scryptCosts } from '../../services/vault/passphrase-key.ts';
import { recordFile } from '../record-file.ts';

export const windowLockSchema = z.object({
  n: z.number().int(),
  r: z.number().int(),
  p: z.number().int(),
  /** hex of 16 bytes. */
  salt: z.string().length(32),
  /** hex of the derived key. */
  key: z.string().length(64),
});

/** Wrong attempts before each further one has to wait. */
const freeAttempts = 5;
const waitMs = 30_000;

export interface WindowLockDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly disk: DiskPort;
  readonly path: string;
  readonly vault: {
    hasPassphrase(): boolean;
    check(passphrase: string): Promise<Result<void>>;
  };
}

export interface WindowLock {
  /** `vault`: the vault's passphrase opens it; `none`: a passphrase has to be set first. */
  kind(): LockKind;
  check(passphrase: string): Promise<Result<void>>;
  /** Sets the lock's own passphrase; a former one has to be given. `conflict` if the vault has one. */
  set(passphrase: string, former: string | null): Promise<Result<void>>;
}

const wrong = fail('unauthenticated', 'secrets.lockWrong');
const tooFast = fail('rate_limited', 'secrets.lockTooFast');
const unset = fail('not_found', 'secrets.lockUnset');
const taken = fail('conflict', 'secrets.lockTaken');

export function createWindowLock({ clock, random, disk, path, vault }: WindowLockDeps): WindowLock {
  const file = recordFile(disk, path, windowLockSchema);
  let failures = 0;
  let blockedUntil = 0;

  async function checkOwn(passphrase: string): Promise<Result<void>> {
    const stored = file.read();
    if (!stored.ok) return stored;
    if (stored.value === null) return err(unset);
    const { salt, key, ...costs } = stored.value;
    const derived = await passphraseKey(passphrase, Buffer.from(salt, 'hex'), costs);
    return timingSafeEqual(derived, Buffer.from(key, 'hex')) ? ok(undefined) : err(wrong);
  }

  async function check(passphrase: string): Promise<Result<void>> {
    if (clock.monotonic() < blockedUntil) return err(tooFast);
    const checked = vault.hasPassphrase() ? await vault.check(passphrase) : await checkOwn(passphrase);
    if (checked.ok) failures = 0;
    else if (checked.error.code === 'unauthenticated') {
      failures += 1;
      if (failures >= freeAttempts) blockedUntil = clock.monotonic() + waitMs;
    }
    return checked;
  }

  return {
    kind() {
      if (vault.hasPassphrase()) return 'vault';
      const stored = file.read();
      // A damaged file still locks: opening then needs the terminal or a backup.
      return stored.ok && stored.value === null ? 'none' : 'own';
    },
    check,
    async set(passphrase, former) {
      if (vault.hasPassphrase()) return err(taken);
      const stored = file.read();
      if (!stored.ok) return stored;
      if (stored.value !== null) {
        const known = await check(former ?? '');
        if (!known.ok) return known;
      }
      const salt = random.bytes(16);
      const key = await passphraseKey(passphrase, salt, scryptCosts);
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
      return file.write({ ...scryptCosts, salt: hex(salt), key: hex(key) });
    },
  };
}

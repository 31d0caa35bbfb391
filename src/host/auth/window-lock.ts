/**
 * The passphrase that opens a locked window. The vault's own passphrase is used if it has one; otherwise
 * the operator sets one for the lock, of which only a slow hash is kept. Guessing is slowed down.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import type { LockKind } from '../../contract/lock-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import { passphraseKey, scryptCosts } from '../../services/vault/passphrase-key.ts';
import { recordFile } from '../stores/record-file.ts';

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

/** Attempts are counted for each of them separately, so that guesses in one place do not block another. */
type AttemptSource = 'app' | 'browser' | 'settings';

export interface WindowLock {
  /** `vault`: the vault's passphrase opens it; `none`: a passphrase has to be set first. */
  kind(): LockKind;
  /** `rate_limited` after several wrong attempts, or while another one is being checked. */
  check(passphrase: string, source: AttemptSource): Promise<Result<void>>;
  /** The owner opens all locked windows without a passphrase. */
  openAll(): void;
  /** Another text after each `openAll`; `null` before the first. */
  lastOpened(): string | null;
  /** Sets the lock's own passphrase; a former one has to be given. `conflict` if the vault has one. */
  set(passphrase: string, former: string | null): Promise<Result<void>>;
}

const wrong = fail('unauthenticated', 'secrets.lockWrong');
const tooFast = fail('rate_limited', 'secrets.lockTooFast');
const busy = fail('rate_limited', 'secrets.lockBusy');
const unset = fail('not_found', 'secrets.lockUnset');
const taken = fail('conflict', 'secrets.lockUsesVault');

/** Lets one attempt through at a time, and few wrong ones. */
function createBrake(clock: WindowLockDeps['clock']) {
  let failures = 0;
  let blockedUntil = 0;
  let isChecking = false;
  return async (attempt: () => Promise<Result<void>>): Promise<Result<void>> => {
    if (clock.monotonic() < blockedUntil) return err(tooFast);
    if (isChecking) return err(busy);
    isChecking = true;
    try {
      const checked = await attempt();
      if (checked.ok) failures = 0;
      else if (checked.error.code === 'unauthenticated') {
        failures += 1;
        if (failures >= freeAttempts) blockedUntil = clock.monotonic() + waitMs;
      }
      return checked;
    } finally {
      isChecking = false;
    }
  };
}

export function createWindowLock({ clock, random, disk, path, vault }: WindowLockDeps): WindowLock {
  const file = recordFile(disk, path, windowLockSchema);
  const brakes = { app: createBrake(clock), browser: createBrake(clock), settings: createBrake(clock) };

  let lastOpened: string | null = null;

  async function checkOwn(passphrase: string): Promise<Result<void>> {
    const stored = file.read();
    if (!stored.ok) return stored;
    if (stored.value === null) return err(unset);
    const { salt, key, ...costs } = stored.value;
    const derived = await passphraseKey(passphrase, Buffer.from(salt, 'hex'), costs);
    return timingSafeEqual(derived, Buffer.from(key, 'hex')) ? ok(undefined) : err(wrong);
  }

  const check: WindowLock['check'] = (passphrase, source) =>
    brakes[source](() => (vault.hasPassphrase() ? vault.check(passphrase) : checkOwn(passphrase)));

  return {
    kind() {
      if (vault.hasPassphrase()) return 'vault';
      const stored = file.read();
      // A damaged file still locks: opening then needs the terminal or a backup.
      return stored.ok && stored.value === null ? 'none' : 'own';
    },
    check,
    openAll() {
      lastOpened = Buffer.from(random.bytes(16)).toString('hex');
    },
    lastOpened: () => lastOpened,
    async set(passphrase, former) {
      if (vault.hasPassphrase()) return err(taken);
      const stored = file.read();
      if (!stored.ok) return stored;
      if (stored.value !== null) {
        const known = await check(former ?? '', 'settings');
        if (!known.ok) return known;
      }
      const salt = random.bytes(16);
      const key = await passphraseKey(passphrase, salt, scryptCosts);
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
      return file.write({ ...scryptCosts, salt: hex(salt), key: hex(key) });
    },
  };
}

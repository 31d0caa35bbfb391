/** Methods about the lock of Kennel's windows, its passphrase, and the sessions of browsers. */
import { z } from 'zod';
import { done, none, row } from './method-row.ts';
import { maxPassphraseLength } from './passphrase-length.ts';

const passphrase = z.string().min(1).max(maxPassphraseLength);

export const browserSessionSchema = z.object({
  /** Names the session here; opens nothing. */
  id: z.string(),
  /** ms since the epoch. */
  since: z.number(),
  usedAt: z.number(),
  /** Open pages of this browser. */
  pages: z.number().int(),
});
export type BrowserSession = z.infer<typeof browserSessionSchema>;

/** `vault`: the vault's passphrase opens a locked window; `own`: one of the lock; `none`: it has none yet. */
export const lockKindSchema = z.enum(['vault', 'own', 'none']);
export type LockKind = z.infer<typeof lockKindSchema>;

export const lockMethods = {
  'lock.view': row(
    () => none,
    () =>
      z.object({
        kind: lockKindSchema,
        browsers: z.array(browserSessionSchema),
        /** Another text after each unlock at a terminal; `null` before the first. */
        lastOpened: z.string().nullable(),
      }),
  ),
  /** Whether this passphrase opens a locked window; `rate_limited` after several wrong ones. */
  'lock.check': row(
    () => z.strictObject({ passphrase }),
    () => done,
  ),
  /** Sets the lock's own passphrase; a former one has to be given. */
  'lock.setPassphrase': row(
    () => z.strictObject({ passphrase, former: z.string().max(maxPassphraseLength).nullable() }),
    () => done,
  ),
  /** Changes the passphrase of the vault. */
  'vault.changePassphrase': row(
    () => z.strictObject({ former: passphrase, passphrase }),
    () => done,
  ),
  /** Signs one browser out. */
  'lock.endBrowser': row(
    () => z.strictObject({ id: z.string().max(100) }),
    () => done,
  ),
} as const;

import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import type { Secrets } from './secrets.ts';

const nowhereSafe = fail(
  'insecure_storage',
  'secrets.apiKeyUnprotected',
  {},
  { help: 'secrets.choosePassphraseForKey' },
);

export interface KeyTakerDeps {
  readonly secrets: Secrets;
  readonly log: Log;
  /** Whether this process may create a vault. */
  readonly opensVault: boolean;
  readonly onSafe: () => void;
}

/**
 * Moves an API key from a file into the store. If no vault exists, or only the demo's, it first opens one
 * that may hold real keys, then calls `onSafe` to reread the files.
 */
export function createKeyTaker({
  secrets,
  log,
  opensVault,
  onSafe,
}: KeyTakerDeps): (take: () => Result<void>) => Result<void> {
  let opening = false;

  const makeSafe = async (): Promise<void> => {
    if (opening) return;
    opening = true;
    const opened = await secrets.openForReal();
    opening = false;
    if (opened.ok) onSafe();
    else log.warn('api_key_left_in_file', { code: opened.error.code });
  };

  return (take) => {
    const taken = take();
    if (taken.ok || secrets.state() === 'locked') return taken;
    if (taken.error.code !== 'locked' && taken.error.code !== 'insecure_storage') return taken;
    if (opensVault) void makeSafe();
    return err(nowhereSafe);
  };
}

import { appError } from '../contract/errors.ts';
import { err, type Result } from '../contract/result.ts';
import type { HostPorts } from './host-ports.ts';
import type { Secrets } from './secrets.ts';

const nowhereSafe = appError(
  'insecure_storage',
  'There is an API key in this file, and nowhere safe to keep it. The file was left as it is.',
  {
    hint: 'Choose a passphrase with "kennel unlock" (or KENNEL_PASSPHRASE); the key is moved by itself then.',
  },
);

/**
 * Moves an API key from a file into the store. If no vault exists, or only the demo's, it first opens one
 * that may hold real keys, then calls `again` to reread the files.
 */
export function createKeyTaker(
  ports: HostPorts,
  secrets: Secrets,
  again: () => void,
): (take: () => Result<void>) => Result<void> {
  let opening = false;

  const makeSafe = async (): Promise<void> => {
    if (opening) return;
    opening = true;
    const opened = await secrets.openForReal();
    opening = false;
    if (opened.ok) again();
    else ports.log.warn('api_key_left_in_file', { code: opened.error.code });
  };

  return (take) => {
    const taken = take();
    if (taken.ok || secrets.state() === 'locked') return taken;
    if (taken.error.code !== 'locked' && taken.error.code !== 'insecure_storage') return taken;
    if (ports.mode === 'full') void makeSafe();
    return err(nowhereSafe);
  };
}

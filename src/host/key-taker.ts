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
 * Moves a key that was found in a file into the store. Where there is no vault yet, or only the demo's, one that may
 * hold it is opened first, and `again` has the files looked at once more.
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

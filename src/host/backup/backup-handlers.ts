import { dirname, isAbsolute, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';

/** Stores are copied while the host runs: one process writes them all, and each copy is synchronous. */
export function createBackupHandlers(
  { home, version, clock, log }: Pick<HostPorts, 'home' | 'version' | 'clock' | 'log'>,
  onMade: () => void,
): Pick<Handlers, 'backup.make' | 'backup.makeHere'> {
  const make = async (path: string) => {
    const { makeBackup } = await import('../../services/bundle/backup.ts');
    const made = await makeBackup({ home, target: path, version, now: clock.now() });
    if (!made.ok) return made;
    log.info('backup_made', { files: made.value.files });
    try {
      onMade();
    } catch (error) {
      // The backup is complete without its note.
      log.warn('backup_not_noted', { error });
    }
    return ok({ path, ...made.value });
  };
  return {
    'backup.make': ({ path }) =>
      isAbsolute(path)
        ? make(path)
        : err(fail('invalid_input', 'moving.pathNotAbsolute', {}, { where: 'path' })),
    'backup.makeHere': () => make(join(dirname(home), `kennel-backup-${stampOf(clock.now())}`)),
  };
}

/** UTC to the second, for example 20261121-204500. */
const stampOf = (now: number): string =>
  new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

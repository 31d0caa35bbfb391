import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import {
  installService,
  removeService,
  type ServiceFile,
  type ServiceOutcome,
  type ServicePlace,
  serviceFile,
} from '../../services/os-service/service-manager.ts';

const here = (): ServicePlace => ({
  platform: process.platform,
  userHome: homedir(),
  env: process.env,
  uid: process.getuid?.() ?? 0,
});

/** The service file for this installation and data folder. */
export function serviceOf(home: string): Result<ServiceFile> {
  const script = process.argv[1];
  if (process.versions.electron !== undefined || script === undefined) {
    return err(fail('unsupported', 'host.appCannotBeService', {}, { help: 'host.installKennelForNode' }));
  }
  // The real path of this command: a service must not depend on PATH or links.
  const words = [process.execPath, realpathSync(script), 'start', '--no-demo'];
  return serviceFile(here(), { words, home, standardHome: join(homedir(), '.kennel') });
}

export function install(file: ServiceFile, start: boolean): Promise<Result<ServiceOutcome>> {
  return installService(file, here(), createDisk(createSystemRandom()), start);
}

export function remove(file: ServiceFile): Promise<Result<ServiceOutcome | null>> {
  return removeService(file, here(), createDisk(createSystemRandom()));
}

/** On Linux without a login session, a user's services run only with lingering enabled. */
export const lingerCommand = (): string =>
  process.platform === 'linux' ? `loginctl enable-linger ${process.env.USER ?? ''}`.trim() : '';

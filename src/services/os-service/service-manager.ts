/**
 * Registers the service with systemd or launchd of this user, or removes it. The file decides: if the manager
 * cannot be reached now, the file stays, and the remaining commands are returned.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import { launchdPlist, plistLabel, type ServiceCommand, systemdUnit, unitName } from './service-text.ts';

export interface ServicePlace {
  readonly platform: NodeJS.Platform;
  /** The user's home, not the data folder. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
}

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly check: readonly string[] | null;
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
}

export interface ServiceOutcome {
  readonly path: string;
  /** True if the manager has applied the change too. */
  readonly done: boolean;
  /** The remaining commands; empty if none. */
  readonly left: readonly string[];
  readonly notes: readonly string[];
}

const commandMs = 30_000;

export function serviceFile(place: ServicePlace, command: ServiceCommand): Result<ServiceFile> {
  if (place.platform === 'linux') {
    const name = unitName(command);
    const config = place.env.XDG_CONFIG_HOME || join(place.userHome, '.config');
    const path = join(config, 'systemd', 'user', name);
    return ok({
      path,
      text: systemdUnit(command),
      check: ['systemd-analyze', '--user', 'verify', path],
      start: [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', '--now', name],
      ],
      stop: [['systemctl', '--user', 'disable', '--now', name]],
    });
  }
  if (place.platform === 'darwin') {
    const label = plistLabel(command);
    const path = join(place.userHome, 'Library', 'LaunchAgents', `${label}.plist`);
    return ok({
      path,
      text: launchdPlist(command),
      check: ['plutil', '-lint', path],
      start: [['launchctl', 'bootstrap', `gui/${place.uid}`, path]],
      stop: [['launchctl', 'bootout', `gui/${place.uid}/${label}`]],
    });
  }
  return err(fail('unsupported', 'host.unsupportedServiceManager', {}, { help: 'host.useTaskScheduler' }));
}

interface Ran {
  /** `null` if the program does not exist. */
  readonly code: number | null;
  readonly said: string;
}

function run([program = '', ...words]: readonly string[], env: ServicePlace['env']): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: commandMs };
    execFile(program, words, options, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      if (error === null) resolve({ code: 0, said });
      else resolve({ code: error.code === 'ENOENT' ? null : Number(error.code) || 1, said });
    });
  });
}

async function runAll(commands: readonly (readonly string[])[], env: ServicePlace['env']) {
  for (const [index, command] of commands.entries()) {
    const { code, said } = await run(command, env);
    if (code === 0) continue;
    const left = commands.slice(index).map((words) => words.join(' '));
    return { left, said };
  }
  return { left: [], said: '' };
}

const outcomeOf = (
  path: string,
  { left, said }: { readonly left: readonly string[]; readonly said: string },
): ServiceOutcome => ({
  path,
  done: left.length === 0,
  left,
  notes: said === '' ? [] : [said.slice(0, 500)],
});

/** Removes a file that the system's own checker rejects. */
async function checked(file: ServiceFile, disk: DiskPort, env: ServicePlace['env']): Promise<Result<void>> {
  // Without a session this folder does not exist, and systemd-analyze would report that instead of checking
  // the file.
  const session = { XDG_RUNTIME_DIR: dirname(file.path), ...env };
  const { code, said } = file.check ? await run(file.check, session) : { code: null, said: '' };
  if (code === null || code === 0 || !said.includes(file.path)) return ok(undefined);
  disk.remove(file.path);
  return err(fail('internal', 'host.serviceFileRefused', { said: said.slice(0, 500) }));
}

export async function installService(
  file: ServiceFile,
  place: ServicePlace,
  disk: DiskPort,
  start: boolean,
): Promise<Result<ServiceOutcome>> {
  const written = disk.write(file.path, file.text);
  if (!written.ok) return written;
  const fits = await checked(file, disk, place.env);
  if (!fits.ok) return fits;
  if (!start) {
    return ok({ path: file.path, done: false, left: file.start.map((words) => words.join(' ')), notes: [] });
  }
  const ran = await runAll(file.start, place.env);
  return ok(outcomeOf(file.path, ran));
}

export async function removeService(
  file: ServiceFile,
  place: ServicePlace,
  disk: DiskPort,
): Promise<Result<ServiceOutcome | null>> {
  if (!existsSync(file.path)) return ok(null);
  const ran = await runAll(file.stop, place.env);
  const removed = disk.remove(file.path);
  if (!removed.ok) return removed;
  if (place.platform === 'linux') await run(['systemctl', '--user', 'daemon-reload'], place.env);
  return ok(outcomeOf(file.path, ran));
}

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { installed, onLinux } from '../../../test/fakes/programs.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createDisk } from '../disk/disk.ts';
import { installService, removeService, type ServicePlace, serviceFile } from './service-manager.ts';
import { launchdPlist, plistLabel, systemdUnit, unitName } from './service-text.ts';

let folder: string;
eachTestInFolder('kennel-service-', (made) => {
  folder = made;
});

const awkward = `/home/ada l/100% "sure"/$HOME/it's`;
const command = (home = awkward) => ({
  words: [process.execPath, `${awkward}/kennel.js`, 'start', '--no-demo'],
  home,
  standardHome: '/home/ada/.kennel',
});

describe('systemd unit', () => {
  it('restarts the same program on failure, in the same folder, for any characters in the paths', () => {
    const unit = systemdUnit(command());
    expect(unit).toContain(`/home/ada l/100%% \\"sure\\"/$$HOME/it's/kennel.js" "start" "--no-demo"`);
    expect(unit).toContain(`Environment="KENNEL_HOME=/home/ada l/100%% \\"sure\\"/$HOME/it's"`);
    expect(unit).toContain('Restart=on-failure');
    expect(unit).toContain('UMask=0077');
  });

  it('has a separate name for each data folder', () => {
    expect(unitName(command('/home/ada/.kennel'))).toBe('kennel.service');
    expect(unitName(command('/srv/a'))).toMatch(/^kennel-[0-9a-f]{8}[.]service$/);
    expect(unitName(command('/srv/a'))).not.toBe(unitName(command('/srv/b')));
    expect(plistLabel(command('/home/ada/.kennel'))).toBe('ai.kennel.host');
  });

  it.skipIf(!onLinux)('passes the check of systemd itself', () => {
    const path = join(folder, 'kennel.service');
    writeFileSync(path, systemdUnit({ ...command(), words: [process.execPath, '-e', '0'] }));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const verify = () =>
      spawnSync(installed('systemd-analyze'), ['--user', 'verify', path], { env, encoding: 'utf8' });
    expect(verify().stderr).not.toContain(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Restart=', 'Rstart='));
    expect(verify().stderr).toContain('Rstart');
  });
});

it('A launchd plist is well-formed XML for any characters in the paths', () => {
  const plist = launchdPlist(command());
  expect(plist).not.toContain('"sure"');
  expect(plist).toContain('<string>/home/ada l/100% &#34;sure&#34;/$HOME/it&#39;s/kennel.js</string>');
  const check =
    "import plistlib,sys; print(plistlib.loads(sys.stdin.buffer.read())['EnvironmentVariables']['KENNEL_HOME'])";
  expect(execFileSync(installed('python3'), ['-c', check], { input: plist, encoding: 'utf8' }).trim()).toBe(
    awkward,
  );
});

describe('Service manager', () => {
  const disk = createDisk(createSystemRandom());

  /** Fake programs that record their calls. */
  function place(systemctlCode: number, verdict = 'exit 0'): ServicePlace {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const program = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@" >> ${folder}/calls\n${text}\n`);
      chmodSync(join(bin, name), 0o700);
    };
    program('systemctl', systemctlCode === 0 ? 'exit 0' : `echo no bus >&2; exit ${systemctlCode}`);
    program('systemd-analyze', verdict);
    return { platform: 'linux', userHome: folder, env: { PATH: `${bin}:/usr/bin:/bin` }, uid: 1000 };
  }
  const calls = (): string => readFileSync(join(folder, 'calls'), 'utf8');
  const fileFor = (at: ServicePlace) => {
    const found = serviceFile(at, command('/home/ada/.kennel'));
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  };

  it('writes, verifies, enables and starts the unit, and removes it again', async () => {
    const at = place(0);
    const file = fileFor(at);
    expect(await installService(file, at, disk, true)).toMatchObject({
      ok: true,
      value: { done: true, left: [] },
    });
    expect(file.path).toBe(join(folder, '.config/systemd/user/kennel.service'));
    expect(calls()).toContain('systemctl --user enable --now kennel.service');
    expect(calls().indexOf('systemd-analyze')).toBeLessThan(calls().indexOf('systemctl'));
    expect(await removeService(file, at, disk)).toMatchObject({ ok: true, value: { done: true } });
    expect(calls()).toContain('systemctl --user disable --now kennel.service');
    expect(existsSync(file.path)).toBe(false);
    expect(await removeService(file, at, disk)).toEqual({ ok: true, value: null });
  });

  it('lists the remaining commands if the manager cannot be reached', async () => {
    const at = place(1);
    const installed = await installService(fileFor(at), at, disk, true);
    expect(installed).toMatchObject({
      ok: true,
      value: {
        done: false,
        notes: ['no bus'],
        left: ['systemctl --user daemon-reload', 'systemctl --user enable --now kennel.service'],
      },
    });
    expect(existsSync(fileFor(at).path)).toBe(true);
  });

  it('removes a unit that the system refuses', async () => {
    const at = place(0, `echo "$3: bad" >&2; exit 1`);
    expect(await installService(fileFor(at), at, disk, true)).toMatchObject({ ok: false });
    expect(existsSync(fileFor(at).path)).toBe(false);
  });

  it('is unsupported on Windows', () => {
    expect(serviceFile({ ...place(0), platform: 'win32' }, command())).toMatchObject({
      error: { code: 'unsupported' },
    });
  });
});

/** A real podman with a store of its own, and an image made without a network: busybox, Node.js and its libraries. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { findProgram, pathFolders } from '../../src/platform/find-program.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { type ContainerEngine, findContainerEngine } from '../../src/services/executors/container-engine.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { installed } from './programs.ts';

export const testImage = 'localhost/kennel-test:1';

const pathOf = (name: string): string => {
  installed(name);
  return findProgram(name, pathFolders(process.env.PATH ?? '')) ?? '';
};

/** The files that a program is linked with, as `ldd` lists them. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function makeRoot(root: string, files: Readonly<Record<string, string>>): void {
  for (const name of ['bin', 'usr/bin', 'tmp', 'etc', 'proc', 'dev', 'sys', 'run', 'lib64'])
    mkdirSync(join(root, name), { recursive: true });
  copyFileSync(pathOf('busybox'), join(root, 'bin/busybox'));
  for (const name of ['sh', 'cat', 'ls', 'sleep', 'env', 'id', 'mount', 'touch', 'wget', 'setsid', 'ps'])
    symlinkSync('busybox', join(root, 'bin', name));
  copyFileSync(process.execPath, join(root, 'usr/bin/node'));
  for (const library of librariesOf(process.execPath)) {
    const target = join(root, dirname(library), basename(library));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(realpathSync(library), target);
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text, { mode: 0o755 });
  }
}

export interface ContainerRig {
  readonly engine: ContainerEngine;
  remove(): void;
}

/** `files`: further files of the image by path. The limits of some systems need the settings below. */
export async function createContainerRig(
  files: Readonly<Record<string, string>> = {},
): Promise<ContainerRig> {
  const podman = pathOf('podman');
  pathOf('runc');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-podman-')));
  const at = (name: string): string => join(folder, name);
  writeFileSync(
    at('containers.conf'),
    `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`,
  );
  writeFileSync(
    at('storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${at('store')}"\nrunroot = "${at('run')}"\n`,
  );
  const env = {
    ...process.env,
    CONTAINERS_CONF: at('containers.conf'),
    CONTAINERS_STORAGE_CONF: at('storage.conf'),
  };
  makeRoot(at('root'), files);
  execFileSync('tar', ['-C', at('root'), '-cf', at('root.tar'), '.']);
  execFileSync(podman, ['import', at('root.tar'), testImage], { env, stdio: 'pipe' });
  const engine = await findContainerEngine({
    process: createProcessPort({ clock: createSystemClock() }),
    path: dirname(podman),
    env,
  });
  if (engine === null) throw new Error('podman does not answer');
  return {
    engine,
    remove() {
      execFileSync(podman, ['rm', '--all', '--force', '--time', '0'], { env, stdio: 'pipe' });
      execFileSync(podman, ['rmi', '--all', '--force'], { env, stdio: 'pipe' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

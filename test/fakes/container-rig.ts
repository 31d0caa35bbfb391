/** A real podman with a store of its own, and an image made without a network: busybox, Node.js and its libraries. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  linkSync,
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
import {
  type ContainerEngine,
  findContainerEngines,
  readyEngine,
} from '../../src/services/executors/container-engine.ts';
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

/** Contents of an image beside busybox and Node.js. */
export interface ImageParts {
  /** Text by path, as programs. */
  readonly files?: Readonly<Record<string, string>>;
  /** Programs of this computer, with their libraries. */
  readonly programs?: readonly string[];
  /** Folders of this computer by the path inside. */
  readonly folders?: Readonly<Record<string, string>>;
  /** Links by the path inside. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Programs are large, so the file gets a second name if the folders are on one disk. */
function linkOrCopy(file: string, copy: string): void {
  try {
    linkSync(realpathSync(file), copy);
  } catch {
    copyFileSync(file, copy);
  }
}

function copyProgram(root: string, program: string, target: string): void {
  linkOrCopy(program, join(root, target));
  for (const library of librariesOf(program)) {
    const copy = join(root, dirname(library), basename(library));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(realpathSync(library), copy);
  }
}

function makeRoot(root: string, { files = {}, programs = [], folders = {}, links = {} }: ImageParts): void {
  for (const name of ['bin', 'usr/bin', 'tmp', 'etc', 'proc', 'dev', 'sys', 'run', 'lib64'])
    mkdirSync(join(root, name), { recursive: true });
  copyFileSync(pathOf('busybox'), join(root, 'bin/busybox'));
  for (const name of ['sh', 'cat', 'ls', 'sleep', 'env', 'id', 'mount', 'touch', 'wget', 'setsid', 'ps'])
    symlinkSync('busybox', join(root, 'bin', name));
  symlinkSync('../../bin/busybox', join(root, 'usr/bin/env'));
  copyProgram(root, process.execPath, 'usr/bin/node');
  for (const name of programs) copyProgram(root, pathOf(name), join('usr/bin', name));
  for (const [inside, source] of Object.entries(folders))
    cpSync(source, join(root, inside), { recursive: true, verbatimSymlinks: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text, { mode: 0o755 });
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
}

export interface ContainerRig {
  readonly engine: ContainerEngine;
  /** For programs that call the engine. */
  readonly env: Readonly<Record<string, string | undefined>>;
  remove(): void;
}

/** The limits of some systems need the settings below. */
export async function createContainerRig(parts: ImageParts = {}): Promise<ContainerRig> {
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
  makeRoot(at('root'), parts);
  execFileSync('/bin/sh', ['-c', 'tar -C "$0" -c . | "$1" import - "$2"', at('root'), podman, testImage], {
    env,
    stdio: 'pipe',
  });
  const found = readyEngine(
    await findContainerEngines({
      process: createProcessPort({ clock: createSystemClock() }),
      path: dirname(podman),
      env,
    }),
  );
  if (!found.ok) throw new Error(found.error.message);
  const engine = found.value;
  return {
    engine,
    env,
    remove() {
      execFileSync(podman, ['rm', '--all', '--force', '--time', '0'], { env, stdio: 'pipe' });
      execFileSync(podman, ['rmi', '--all', '--force'], { env, stdio: 'pipe' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

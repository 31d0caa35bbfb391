/** Data folders for fault tests: on the usual disk, or on a small disk in a mount namespace of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { needs } from '../fakes/programs.ts';
import { newDemoHome } from '../host/host-rig.ts';
import { doorOf, kill, type Launch, startKennel } from './kennel-process.ts';

/** Mounting and other user ids need root. */
export const notRoot = process.getuid?.() !== 0 && !process.env.CI;

export function newFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'kennel-fault-'));
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A folder with a demo at rest; `launch`: how to start the host that creates it. */
export async function demoFolder(launch: Launch | null = null): Promise<string> {
  if (launch === null) return (await newDemoHome()).home;
  const home = newFolder();
  const kennel = startKennel(home, undefined, launch);
  const door = await doorOf(home, kennel);
  await door.call('setup.tryDemo', {});
  door.close();
  await kill(kennel, 'SIGTERM');
  return home;
}

export interface SmallDisk {
  /** Path for processes in the mount namespace. */
  readonly inside: string;
  /** Path of the same folder from this process. */
  readonly outside: string;
  /** Command that runs the rest of its line in the mount namespace. */
  readonly wrap: readonly string[];
  /** Fills the disk; returns a function that frees the space again. */
  fill(): () => void;
  /** Grows the disk by this many KiB over its first size, as if a person freed space. */
  grow(kib: number): void;
  run(script: string): void;
  /** Copies the folder to the usual disk. */
  copy(): string;
  remove(): Promise<void>;
}

/** A tmpfs in a mount namespace that exists as long as the process that holds it. */
export async function smallDisk(kib: number): Promise<SmallDisk> {
  const folder = newFolder();
  const inside = path.join(folder, 'disk');
  mkdirSync(inside);
  const script = `mount -t tmpfs -o size=${kib}k,mode=700 none ${inside} && echo mounted && exec sleep 100000`;
  needs('unshare', 'nsenter', 'mount');
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('no private mount namespace here'))),
  ]);
  const outside = path.join('/proc', String(holder.pid), 'root', inside);
  const wrap = ['nsenter', '--target', String(holder.pid), '--mount'];
  const run = (text: string) => void execFileSync('nsenter', [...wrap.slice(1), 'sh', '-c', text]);
  return {
    inside,
    outside,
    wrap,
    fill() {
      const filler = path.join(outside, 'filler');
      const piece = Buffer.alloc(1024);
      try {
        for (;;) writeFileSync(filler, piece, { flag: 'a' });
      } catch {
        return () => rmSync(filler, { force: true });
      }
    },
    grow: (more) => run(`mount -o remount,size=${kib + more}k ${inside}`),
    run,
    copy() {
      const target = path.join(folder, 'copy');
      cpSync(outside, target, {
        recursive: true,
        filter: (file) => !statSync(file).isSocket() && path.basename(file) !== 'filler',
      });
      return target;
    },
    async remove() {
      const gone = once(holder, 'exit');
      holder.kill('SIGKILL');
      await gone;
      removeFolder(folder);
    },
  };
}

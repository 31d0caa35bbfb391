/** Data folders for fault tests: on the usual disk, or on a small disk of their own that nobody else sees. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { needs } from '../fakes/programs.ts';
import { newDemoHome } from '../host/host-rig.ts';
import { doorOf, kill, type Launch, startKennel } from './kennel-process.ts';

/** Mounting and other identities are the administrator's. */
export const notRoot = process.getuid?.() !== 0 && !process.env.CI;

export function newFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'kennel-fault-'));
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A folder in which the demo was built and left at rest; `launch`: built by a host that starts in this way. */
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
  /** As a process inside knows it. */
  readonly inside: string;
  /** The same folder, reached from here. */
  readonly outside: string;
  /** Runs a command inside, in its own place. */
  readonly wrap: readonly string[];
  /** Takes all the space there is; returns how to give it back. */
  fill(): () => void;
  /** A person makes room: this many KiB more than at first. */
  grow(kib: number): void;
  run(script: string): void;
  /** A copy on the usual disk. */
  copy(): string;
  remove(): Promise<void>;
}

/** A tmpfs in a mount namespace that lives as long as the process that holds it. */
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

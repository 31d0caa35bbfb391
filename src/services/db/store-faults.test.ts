import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { installed, onLinux } from '../../../test/fakes/programs.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { proof, seed } from '../../../test/fakes/test-run.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { openAccountStore } from './account-store.ts';
import { openDatabase } from './binding.ts';

const writer = path.join(import.meta.dirname, '../../../test/children/store-writer.ts');
const key = new Uint8Array(32).fill(5);
let folder: string;
eachTestInFolder('kennel-faults-', (made) => {
  folder = made;
});

const works = (command: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** A kernel or container may refuse this to users other than root; CI requires it. */
const canMount =
  onLinux && (Boolean(process.env.CI) || works('unshare', '--mount', '--map-root-user', 'true'));

const acknowledged = (output: string): string[] =>
  output.split('\n').flatMap((line) => (line.startsWith('ok ') ? [line.slice(3)] : []));

/** I1, I2, I4: every acknowledged message is stored exactly once, and the file is intact. */
function check(file: string, ids: readonly string[]): void {
  const store = openAccountStore({
    path: file,
    slug: 'helper-9a7c',
    key,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
  expect(ids.filter((id) => !store.known([id]).has(id))).toEqual([]);
  expect(store.openWork()).toHaveLength(store.messageCount());
  store.release();
  const db = openDatabase(file, { key });
  expect(db.pragma('integrity_check')).toBe('ok');
  db.close();
  expect(readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
}

describe('A store after SIGKILL', () => {
  /** The proof run kills more often. */
  const kills = proof ? 1_000 : 8;

  it(`loses no acknowledged write and has no partial write (F1), seed ${seed}`, {
    timeout: 60_000 + kills * 3_000,
  }, async () => {
    const random = createSeededRandom(seed);
    const file = path.join(folder, 'messages.db');
    const all: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const child = spawn(process.execPath, [writer, file, '100000', String(kill * 100_000), '900'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const target = 1 + Math.floor(random.fraction() * 300);
      let seen = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('ok ')) all.push(line.slice(3));
        seen += 1;
        if (seen === target) child.kill('SIGKILL');
      }
      check(file, all);
    }
    expect(all.length).toBeGreaterThan(kills);
  });
});

describe.skipIf(!onLinux)('A store on a failing disk', () => {
  /** Only system calls on the store's files fail, never those of Node's startup. */
  const onStore = (file: string): string[] =>
    [path.dirname(file), file, `${file}-wal`, `${file}-shm`].flatMap((each) => ['-P', each]);

  const traced = (inject: string, file: string, count: number, first = 0): string =>
    spawnSync(
      installed('strace'),
      [
        '-f',
        '-o',
        '/dev/null',
        ...onStore(file),
        '-e',
        `trace=${inject.split(':')[0]}`,
        '-e',
        `inject=${inject}`,
        process.execPath,
        writer,
        file,
        String(count),
        String(first),
      ],
      { encoding: 'utf8', timeout: 60_000 },
    ).stdout;

  // The first six sync folders too, which SQLite tolerates.
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 11, 14])(
    'loses nothing if fdatasync fails once, reopens and continues (F5): call %i',
    { timeout: 60_000 },
    (when) => {
      const file = path.join(folder, 'messages.db');
      const output = traced(`fdatasync,fsync:error=EIO:when=${when}`, file, 12);
      if (when > 6) expect(output).toContain('fail io_error');
      expect(acknowledged(output).length).toBeGreaterThanOrEqual(11);
      expect(output).toMatch(/ok msg_11\n$/);
      check(file, acknowledged(output));
    },
  );

  it.each([1, 2, 3, 4, 6, 10, 15])(
    'does not quarantine a healthy file because one read failed (F5): read %i',
    { timeout: 60_000 },
    (when) => {
      const file = path.join(folder, 'messages.db');
      const before = spawnSync(process.execPath, [writer, file, '3'], { encoding: 'utf8' }).stdout;
      const output = traced(`pread64:error=EIO:when=${when}`, file, 6, 100);
      expect(output).toMatch(/ok msg_105\n$/);
      check(file, [...acknowledged(before), ...acknowledged(output)]);
    },
  );

  it('acknowledges nothing while fdatasync keeps failing, and loses nothing (F5)', {
    timeout: 60_000,
  }, () => {
    const file = path.join(folder, 'messages.db');
    const output = traced('fdatasync,fsync:error=EIO:when=6+', file, 10);
    expect(output).toMatch(/fail io_error\n$/);
    check(file, acknowledged(output));
  });

  it('loses nothing if writes fail (F5)', { timeout: 60_000 }, () => {
    const file = path.join(folder, 'messages.db');
    const output = traced('pwrite64:error=EIO:when=40..44', file, 12);
    expect(output).toContain('fail io_error');
    expect(output).toMatch(/ok msg_11\n$/);
    check(file, acknowledged(output));
  });
});

describe.skipIf(!canMount)('A store on a full or read-only disk', () => {
  it.each([1, 2, 3])(
    'refuses writes cleanly and recovers once space is available (F4): %i MiB',
    { timeout: 60_000 },
    (mib) => {
      const copy = path.join(folder, 'copy');
      const script = [
        `mount -t tmpfs -o size=${mib}m none ${folder}/disk`,
        `dd if=/dev/zero of=${folder}/disk/filler bs=1k count=${mib * 400} 2>/dev/null`,
        `"${process.execPath}" "${writer}" ${folder}/disk/messages.db 400 0 4000`,
        `rm ${folder}/disk/filler`,
        `"${process.execPath}" "${writer}" ${folder}/disk/messages.db 3 1000 100`,
        `mkdir ${copy}`,
        `cp ${folder}/disk/messages.db* ${copy}`,
      ].join('\n');
      execFileSync('mkdir', [path.join(folder, 'disk')]);
      const { stdout } = spawnSync('unshare', ['--mount', '--map-root-user', 'sh', '-e', '-c', script], {
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect(stdout).toContain('fail disk_full');
      expect(stdout).not.toContain('fail io_error');
      expect(stdout).toMatch(/ok msg_1000\nok msg_1001\nok msg_1002\n$/);
      expect(existsSync(copy)).toBe(true);
      check(path.join(copy, 'messages.db'), acknowledged(stdout));
    },
  );

  it('reports an I/O error for a read-only folder (F6)', { timeout: 60_000 }, () => {
    const script = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}
      "${process.execPath}" "${writer}" ${folder}/messages.db 2`;
    const { stdout } = spawnSync('unshare', ['--mount', '--map-root-user', 'sh', '-e', '-c', script], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('fail io_error\nfail io_error\n');
  });
});

describe('A store without free file descriptors', () => {
  it('refuses without partial writes, and recovers once descriptors are available (F7)', {
    timeout: 60_000,
  }, () => {
    const file = path.join(folder, 'messages.db');
    const { stdout } = spawnSync(
      'sh',
      ['-c', `ulimit -n 200; "${process.execPath}" "${writer}" ${file} 5 0 100 starve`],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('ok msg_0\nfail io_error\nfail io_error\nok msg_3\nok msg_4\n');
    check(file, acknowledged(stdout));
  });
});

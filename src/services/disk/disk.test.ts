import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { installed, onLinux } from '../../../test/fakes/programs.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { ok } from '../../contract/result.ts';
import { createDisk } from './disk.ts';
import { diskError } from './disk-errors.ts';
import { tidyHome } from './tidy-home.ts';

let folder: string;
eachTestInFolder('kennel-disk-', (made) => {
  folder = made;
});

const disk = createDisk(createSeededRandom(1));
const at = (...parts: string[]): string => path.join(folder, ...parts);
const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('Files', () => {
  it('are written atomically with owner-only permissions, whatever the umask (T19)', () => {
    const before = process.umask(0);
    try {
      expect(disk.write(at('a', 'b', 'c.yml'), 'grüße\n')).toEqual(ok(undefined));
    } finally {
      process.umask(before);
    }
    expect(disk.readText(at('a', 'b', 'c.yml'), 100)).toEqual(ok('grüße\n'));
    expect([modeOf(at('a')), modeOf(at('a', 'b')), modeOf(at('a', 'b', 'c.yml'))]).toEqual([
      0o700, 0o700, 0o600,
    ]);
    expect(readdirSync(at('a', 'b'))).toEqual(['c.yml']);
  });

  it('are told apart when read: missing, too large, not text, a link', () => {
    expect(disk.readText(at('none'), 10)).toEqual(ok(null));
    writeFileSync(at('large'), 'x'.repeat(11));
    expect(disk.readText(at('large'), 10)).toMatchObject({
      error: { code: 'too_large', where: at('large') },
    });
    writeFileSync(at('binary'), Buffer.from([0xff, 0xfe]));
    expect(disk.readText(at('binary'), 10)).toMatchObject({ error: { code: 'corrupt' } });
    symlinkSync(at('large'), at('link'));
    expect(disk.readText(at('link'), 100)).toMatchObject({ error: { code: 'io_error' } });
    mkdirSync(at('folder'));
    expect(disk.readText(at('folder'), 100).ok).toBe(false);
  });

  it('keep the old content if the new content cannot be written', () => {
    disk.write(at('x'), 'old');
    mkdirSync(at('folder'));
    expect(disk.write(at('folder'), 'new')).toMatchObject({ error: { code: 'io_error' } });
    expect(disk.write(at('x', 'below'), 'new')).toMatchObject({
      error: { code: 'io_error', hint: expect.any(String) },
    });
    expect(readFileSync(at('x'), 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['folder', 'x']);
  });

  it('are listed by kind, moved without overwriting, and quarantined under a dated name', () => {
    for (const name of ['b.md', 'a.md']) writeFileSync(at(name), name);
    mkdirSync(at('dir'));
    expect([disk.files(folder), disk.folders(folder)]).toEqual([ok(['a.md', 'b.md']), ok(['dir'])]);
    expect([disk.files(at('none')), disk.folders(at('none'))]).toEqual([ok([]), ok([])]);
    expect(disk.move(at('a.md'), at('b.md'))).toMatchObject({ error: { code: 'conflict' } });
    expect(disk.move(at('a.md'), at('new', 'a.md'))).toEqual(ok(undefined));
    expect(readFileSync(at('new', 'a.md'), 'utf8')).toBe('a.md');
    const now = Date.UTC(2026, 10, 21, 8, 46, 42, 123);
    expect(disk.quarantine(at('b.md'), now)).toEqual(ok(at('b.md.damaged-2026-11-21T08-46-42-123Z')));
    writeFileSync(at('b.md'), 'again');
    expect(disk.quarantine(at('b.md'), now)).toEqual(ok(at('b.md.damaged-2026-11-21T08-46-42-123Z-2')));
    expect(disk.remove(at('none'))).toEqual(ok(undefined));
  });

  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE', 'EWHATEVER'])(
    'report %s with a message that says what was kept (F4 to F7)',
    (code) => {
      const error = diskError(Object.assign(new Error('x'), { code }), '/home/x');
      expect(error.code).toBe(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'io_error');
      expect(error.message).toMatch(new RegExp(`(kept|changed|left).*[(]${code}[)]$`));
      expect(error.where).toBe('/home/x');
    },
  );
});

describe('Atomic file write', () => {
  it.skipIf(!onLinux)('syncs the file before its rename and the folder after it (F3)', () => {
    const script = `import { createDisk } from ${JSON.stringify(path.join(import.meta.dirname, 'disk.ts'))};
        const random = { bytes: () => new Uint8Array(), uuid: () => '00000000-0000-4000-a000-000000000000', fraction: () => 0 };
        createDisk(random).write(${JSON.stringify(at('x.yml'))}, 'text');`;
    writeFileSync(at('script.ts'), script);
    const log = at('strace.log');
    spawnSync(installed('strace'), [
      '-f',
      '-y',
      '-e',
      'trace=fsync,fdatasync,rename,renameat,renameat2',
      '-o',
      log,
      process.execPath,
      at('script.ts'),
    ]);
    const calls = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(folder))
      .map((line) => (/rename/.test(line) ? 'rename' : line.includes('.tmp>') ? 'sync file' : 'sync folder'));
    expect(calls).toEqual(['sync file', 'rename', 'sync folder']);
  });
});

describe('Data folder at start', () => {
  it('is made private again and cleared of temporary files, except workspaces (T19)', async () => {
    for (const name of ['agents/a/keys', 'agents/a/workspace/bin']) mkdirSync(at(name), { recursive: true });
    const files = ['master.json', 'agents/a/keys/k.json', 'agents/a/workspace/bin/run', 'agents/a/hook.sh'];
    for (const name of files) writeFileSync(at(name), '');
    const half = 'agents/a/.agent.yml.00000000-0000-4000-a000-000000000000.tmp';
    writeFileSync(at(half), '');
    writeFileSync(at('agents/a/.notes.tmp'), '');
    for (const name of [...files, '.', 'agents', 'agents/a', 'agents/a/keys']) chmodSync(at(name), 0o777);
    symlinkSync('/etc/passwd', at('agents/a/link'));
    const passwd = modeOf('/etc/passwd');
    const report = await tidyHome(folder);
    expect(modeOf(at('agents/a/keys/k.json'))).toBe(0o700);
    expect([modeOf(folder), modeOf(at('agents/a/keys')), modeOf(at('agents/a/workspace'))]).toEqual([
      0o700, 0o700, 0o700,
    ]);
    expect(modeOf(at('agents/a/workspace/bin/run'))).toBe(0o777);
    expect(modeOf('/etc/passwd')).toBe(passwd);
    expect([existsSync(at(half)), existsSync(at('agents/a/.notes.tmp'))]).toEqual([false, true]);
    expect(report.removed).toEqual([at(half)]);
    expect(report.failed).toEqual([]);
    expect(report.repaired).toContain(at('agents/a/hook.sh'));
    expect(await tidyHome(folder)).toEqual({ repaired: [], removed: [], failed: [] });
  });
});

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createConfinedFiles } from './confined-files.ts';

let base = '';
let root = '';
let shelf = '';
let outside = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-confined-')));
  [root, shelf, outside] = [join(base, 'work'), join(base, 'shelf'), join(base, 'outside')];
  for (const folder of [root, shelf, outside, `${root}-evil`]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(outside, 'secret'), 'SECRET');
  writeFileSync(join(`${root}-evil`, 'secret'), 'SECRET');
  writeFileSync(join(root, 'a.txt'), 'hello');
  writeFileSync(join(shelf, 'book'), 'to read');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each([
  ['by handles', true],
  ['by path, as without /proc', false],
])('Confined agent files, %s', (_name, byHandles) => {
  const open = () => createConfinedFiles({ cwd: root, readable: [shelf], writable: [root] }, { byHandles });
  const textOf = async (path: string): Promise<string> => {
    const got = await open().read(path, { maxBytes: 1000 });
    return got.ok ? new TextDecoder().decode(got.value.bytes) : got.error.code;
  };

  test('reads relative and absolute paths, and ranges', async () => {
    expect(await textOf('a.txt')).toBe('hello');
    expect(await textOf(join(shelf, 'book'))).toBe('to read');
    const part = await open().read('a.txt', { offset: 1, maxBytes: 3 });
    expect(part).toEqual({ ok: true, value: { bytes: bytes('ell'), size: 5 } });
    expect(await textOf('none')).toBe('not_found');
    expect(await textOf('a.txt/x')).toBe('not_found');
  });

  test.each([
    '../outside/secret',
    '../work-evil/secret',
    '/etc/passwd',
    'x/../../outside/secret',
    '../outside/not-there',
    '/proc/self/environ',
  ])('T14: refuses %s as outside, whether it exists or not', async (path) => {
    expect(await textOf(path)).toBe('forbidden');
    expect((await open().write(path, bytes('x'), 'replace')).ok).toBe(false);
    expect(open().resolve(path, 'write').ok).toBe(false);
  });

  test('T14: refuses links that lead outside and reads links that stay inside', async () => {
    symlinkSync(join(outside, 'secret'), join(root, 'to-secret'));
    symlinkSync(outside, join(root, 'to-outside'));
    symlinkSync(join(root, 'a.txt'), join(root, 'to-a'));
    symlinkSync(join(outside, 'new'), join(root, 'nowhere'));
    expect(await textOf('to-secret')).toBe('forbidden');
    expect(await textOf('to-outside/secret')).toBe('forbidden');
    expect(await textOf('to-a')).toBe('hello');
    expect(open().resolve('to-a', 'read')).toEqual({ ok: true, value: join(root, 'a.txt') });
    expect((await open().write('nowhere', bytes('x'), 'replace')).ok).toBe(false);
    expect((await open().write('to-outside/new', bytes('x'), 'create')).ok).toBe(false);
    expect((await open().touch('nowhere')).ok).toBe(false);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test('T14: does not read hard links, pipes and folders as files, and never blocks', async () => {
    linkSync(join(outside, 'secret'), join(root, 'hard'));
    expect(await textOf('hard')).toBe('forbidden');
    expect((await open().touch('hard')).ok).toBe(false);
    expect((await open().move('hard', 'soft')).ok).toBe(false);
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      expect(await textOf('pipe')).toBe('unsupported');
      expect((await open().write('pipe', bytes('x'), 'replace')).ok).toBe(false);
    }
    expect(await textOf('.')).toBe('invalid_input');
  });

  test('T14: gives no access through a root below a writable root that was replaced by a link', async () => {
    mkdirSync(join(root, 'sub'));
    const files = createConfinedFiles(
      { cwd: root, readable: [], writable: [root, join(root, 'sub')] },
      { byHandles },
    );
    renameSync(join(root, 'sub'), join(root, 'was-sub'));
    symlinkSync(outside, join(root, 'sub'));
    expect((await files.read('sub/secret', { maxBytes: 10 })).ok).toBe(false);
    const later = createConfinedFiles(
      { cwd: root, readable: [], writable: [root, join(root, 'sub')] },
      { byHandles },
    );
    expect((await later.read('sub/secret', { maxBytes: 10 })).ok).toBe(false);
    expect((await later.write('sub/new', bytes('x'), 'create')).ok).toBe(false);
  });

  test('writes files atomically: create refuses existing files, replace keeps the mode, no temporary file remains', async () => {
    expect(await open().write('new.txt', bytes('1'), 'create')).toEqual({ ok: true, value: undefined });
    expect(await open().write('new.txt', bytes('2'), 'create')).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(await textOf('new.txt')).toBe('1');
    expect((await open().write('new.txt', bytes('3'), 'replace')).ok).toBe(true);
    expect(await textOf('new.txt')).toBe('3');
    if (process.platform !== 'win32') expect(statSync(join(root, 'new.txt')).mode & 0o777).toBe(0o600);
    expect(await open().write('no/new.txt', bytes('3'), 'replace')).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await open().write(join(shelf, 'x'), bytes('3'), 'create')).toMatchObject({
      error: { code: 'forbidden' },
    });
    expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'new.txt']);
  });

  test('removes old temporary files left by a crash at the next write into the folder', async () => {
    const [old, fresh] = [`.kennel-${randomUUID()}.tmp`, `.kennel-${randomUUID()}.tmp`];
    for (const name of [old, fresh]) writeFileSync(join(root, name), 'half');
    utimesSync(join(root, old), 1, 1);
    expect((await open().write('b', bytes('1'), 'create')).ok).toBe(true);
    expect(readdirSync(root).toSorted()).toEqual([fresh, 'a.txt', 'b']);
  });

  test('never removes or moves a root or a folder that contains one', async () => {
    mkdirSync(join(root, 'in/deep'), { recursive: true });
    const files = createConfinedFiles(
      { cwd: root, readable: [], writable: [root, join(root, 'in/deep')] },
      { byHandles },
    );
    for (const path of ['.', root, 'in', 'in/deep']) {
      expect((await files.remove(path, true)).ok).toBe(false);
      expect((await files.move(path, 'elsewhere')).ok).toBe(false);
    }
    expect(existsSync(join(root, 'in/deep'))).toBe(true);
    expect(files.resolve('.', 'write')).toMatchObject({ error: { code: 'forbidden' } });
    expect((await files.makeFolder('.', true)).ok).toBe(true);
  });

  test('creates one folder, or a folder with its parents', async () => {
    expect((await open().makeFolder('x/y', false)).ok).toBe(false);
    expect((await open().makeFolder('x/y/z', true)).ok).toBe(true);
    expect((await open().makeFolder('x/y/z', true)).ok).toBe(true);
    expect(await open().makeFolder('x', false)).toMatchObject({ error: { code: 'conflict' } });
    expect(await open().makeFolder('a.txt', true)).toMatchObject({ error: { code: 'conflict' } });
    expect((await open().makeFolder('../outside/y', true)).ok).toBe(false);
    expect(statSync(join(root, 'x/y/z')).isDirectory()).toBe(true);
  });

  test('copies, moves and removes trees, and treats links only as links', async () => {
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/e/f'), 'deep');
    expect(await open().copy('d', 'd2', false)).toMatchObject({ error: { code: 'invalid_input' } });
    expect((await open().copy('d', 'd2', true)).ok).toBe(true);
    expect(await textOf('d2/e/f')).toBe('deep');
    expect(await open().copy('d', 'd/inner', true)).toMatchObject({ error: { code: 'invalid_input' } });
    expect((await open().copy('a.txt', 'd/e/f', false)).ok).toBe(true);
    expect(await textOf('d/e/f')).toBe('hello');
    expect(await open().copy('a.txt', 'd', false)).toMatchObject({ error: { code: 'conflict' } });
    expect((await open().move('d2', 'd3')).ok).toBe(true);
    expect(await open().move('d3', 'd3/x')).toMatchObject({ error: { code: 'invalid_input' } });
    symlinkSync(outside, join(root, 'd3/link'));
    expect(await open().copy('d3', 'd4', true)).toMatchObject({ error: { code: 'unsupported' } });
    expect(existsSync(join(root, 'd4'))).toBe(false);
    expect(await open().remove('d3', false)).toMatchObject({ error: { code: 'invalid_input' } });
    expect((await open().remove('d3', true)).ok).toBe(true);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('SECRET');
  });

  test('lists entries in order with their kinds, and reports if more exist', async () => {
    mkdirSync(join(root, 'b'));
    symlinkSync('a.txt', join(root, 'c'));
    const all = await open().list('.', 10);
    expect(all.ok && all.value.entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['a.txt', 'file'],
      ['b', 'folder'],
      ['c', 'link'],
    ]);
    const some = await open().list('.', 2);
    expect(some.ok && [some.value.entries.length, some.value.more]).toEqual([2, true]);
    expect(await open().list('a.txt', 2)).toMatchObject({ error: { code: 'not_found' } });
    expect(await open().stat('.')).toMatchObject({ value: { kind: 'folder', name: 'work' } });
    expect(await open().stat('a.txt')).toMatchObject({ value: { kind: 'file', size: 5 } });
  });

  test('T15: resolves any path to a place inside the roots or refuses it', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', 'a.txt', 'x', '/', '\\', 'CON', 'a\0b', '\u202Egpj.exe', '~', '*'),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    const files = open();
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('read', 'write'), (pieces, access) => {
        const found = files.resolve(pieces.join('/'), access as 'read');
        if (found.ok)
          expect(
            found.value === root || found.value.startsWith(`${root}/`) || found.value.startsWith(shelf),
          ).toBe(true);
      }),
    );
  });
});

test.each([
  ['a short name', 'GIT~1/config'],
  ['a dot at the end', '.git./config'],
  ['a space at the end', 'notes.md '],
  ['an alternate stream', 'notes.md:hidden'],
  ['a device', 'sub/NUL.txt'],
  ['another machine', '//server/share/x'],
])('T14: refuses %s on Windows for reads and writes', async (_what, path) => {
  const files = createConfinedFiles(
    { cwd: root, readable: [root], writable: [root] },
    { windowsNames: true },
  );
  expect(files.resolve(path, 'read')).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await files.write(path, new Uint8Array(), 'create')).toMatchObject({
    error: { code: 'invalid_input' },
  });
  expect(files.resolve('plain~name.md', 'write').ok).toBe(true);
});

import { basename, join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileNames } from './file-names.ts';

const one = (name: string): string => safeFileNames([name])[0] ?? '';

test('A safe file name keeps valid names and only the last component of a path (T15)', () => {
  expect(one('report 写真.pdf')).toBe('report 写真.pdf');
  expect(one('../../etc/passwd')).toBe('passwd');
  expect(one('C:\\Users\\x\\a.txt')).toBe('a.txt');
  expect(one('/etc/shadow')).toBe('shadow');
  expect(one('a\0b.txt')).toBe('a_b.txt');
  expect(one('evil\u202Efdp.exe')).toBe('evil_fdp.exe');
  expect(one('CON')).toBe('_CON');
  expect(one('nul.tar.gz')).toBe('_nul.tar.gz');
  expect(one('.bashrc')).toBe('bashrc');
  expect(one('-rf')).toBe('_-rf');
  expect(one('..--checkpoint-action=exec=sh x.sh')).toBe('_--checkpoint-action=exec=sh x.sh');
  expect(one('name. . .')).toBe('name');
  expect(one('a:b*c?.txt')).toBe('a_b_c_.txt');
  for (const empty of ['', '.', '..', '...', '/', '   ', 'x/']) expect(one(empty)).toBe('file');
  expect(one('e\u0301.txt')).toBe('é.txt');
  expect(one(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(116)}.pdf`);
});

test('File names of one message are unique, also on case-insensitive systems (T15)', () => {
  expect(safeFileNames(['a.txt', 'A.TXT', 'x/a.txt', 'a (2).txt'])).toEqual([
    'a.txt',
    'A (2).TXT',
    'a (3).txt',
    'a (2) (2).txt',
  ]);
});

test('Any file names become unique single components inside the folder (T15)', () => {
  const nasty = fc.constantFrom(
    '..',
    '/',
    '\\',
    '\0',
    ':',
    '\u202E',
    '\u0130',
    'ß',
    'ſ',
    'CON',
    '.',
    ' ',
    'a',
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.array(nasty, { maxLength: 8 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 10 }), (names) => {
      const safe = safeFileNames(names);
      expect(safe).toHaveLength(names.length);
      expect(new Set(safe.map((each) => each.toUpperCase())).size).toBe(safe.length);
      expect(new Set(safe.map((each) => each.toLowerCase())).size).toBe(safe.length);
      for (const each of safe) {
        expect(join('/inbox', each)).toBe(`/inbox/${basename(each)}`);
        expect(posix.basename(each)).toBe(each);
        expect(win32.basename(each)).toBe(each);
        expect(each).not.toMatch(/^\.|[\s.]$|[\p{C}]/u);
        expect(each.normalize('NFC')).toBe(each);
        expect(Buffer.byteLength(each)).toBeLessThanOrEqual(140);
        expect(Buffer.byteLength(each)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

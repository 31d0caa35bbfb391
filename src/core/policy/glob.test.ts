import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchGlob, matchName } from './glob.ts';
import { absolutePath, isInside, pathFits, shortPath } from './paths.ts';

const inPath = (pattern: string, text: string) => matchGlob(pattern, text, { separator: '/' });

describe('Globs', () => {
  it.each([
    ['notes/*', 'notes/a.md', true],
    ['notes/*', 'notes/deep/a.md', false],
    ['notes/**', 'notes/deep/a.md', true],
    ['**/*.md', 'a/b/c.md', true],
    ['?.md', 'a.md', true],
    ['?.md', '/.md', false],
    ['*', '', true],
    ['a*b*c', 'aXXbYYc', true],
    ['a*b*c', 'aXXbYY', false],
    ['[ab]', 'a', false],
    ['', '', true],
    ['', 'a', false],
  ])('%s matches %s: %s', (pattern, text, fits) => {
    expect(inPath(pattern, text)).toBe(fits);
  });

  it('match like an equivalent regular expression', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 12 }).map((all) => all.join(''));
    const patterns = fc.array(fc.constantFrom('a', 'b', '/', '*', '?', '**'), { maxLength: 6 });
    fc.assert(
      fc.property(patterns, letters, (parts, text) => {
        const pattern = parts.join('');
        const source = pattern
          .replace(/\*{2,}/g, '\u0001')
          .replaceAll('*', '[^/]*')
          .replaceAll('?', '[^/]')
          .replaceAll('\u0001', '[^]*');
        expect(inPath(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
  });

  it('end on a pattern that explodes in a backtracking matcher (T25)', () => {
    const steps = 60;
    expect(matchName(`${'a*'.repeat(steps)}b`, 'a'.repeat(5_000))).toBe(false);
  });
});

describe('Paths in rules', () => {
  const base = { cwd: '/w/space', home: '/home/me' };

  it.each([
    ['notes/../x', '/w/space/x'],
    ['~/a', '/home/me/a'],
    ['~', '/home/me'],
    ['/a//b/./c/', '/a/b/c'],
    ['../../../../etc', '/etc'],
    ['a\\b', '/w/space/a/b'],
  ])('%s resolves to %s', (path, absolute) => {
    expect(absolutePath(path, base)).toBe(absolute);
  });

  it('compare whole segments to decide whether a path is below a root', () => {
    expect(isInside('/a/b', '/a/b/c')).toBe(true);
    expect(isInside('/a/b', '/a/b')).toBe(true);
    expect(isInside('/a/b', '/a/b-evil/c')).toBe(false);
    expect(isInside('/a/b', '/a/b/../c')).toBe(false);
    expect(isInside('/', '/etc')).toBe(true);
  });

  it('match relative, home and absolute patterns against resolved paths', () => {
    expect(pathFits('notes/*', '/w/space/notes/a', base)).toBe(true);
    expect(pathFits('./*', '/w/space/a', base)).toBe(true);
    expect(pathFits('~/docs/**', '/home/me/docs/x/y', base)).toBe(true);
    expect(pathFits('notes/*', '/elsewhere/notes/a', base)).toBe(false);
  });

  it('shorten paths relative to the workspace and home', () => {
    expect(shortPath('/w/space/notes/a', base)).toBe('notes/a');
    expect(shortPath('/home/me/x', base)).toBe('~/x');
    expect(shortPath('/etc/x', base)).toBe('/etc/x');
    expect(shortPath('/w/space', base)).toBe('.');
  });
});

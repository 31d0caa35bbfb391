import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const generated = new Set(['node_modules', 'dist', 'dist-e2e', 'release', 'coverage', 'test-results']);

/** Markdown files of the project, without generated folders. */
function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || generated.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Code is no link. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1[^\S\n]*$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/**
 * Targets of `](target)` and of the `src`, `srcset` and `href` attributes in HTML tags that Markdown allows.
 */
function targetsOf(text: string): string[] {
  const found = withoutCode(text).matchAll(/\]\(<?([^)\s>]+)|(?:src|srcset|href)="([^"]+)"/g);
  return [...found].map(([, link, attribute]) => link ?? attribute ?? '');
}

/** Anchor names of the headings, as GitHub builds them. */
function anchorsOf(text: string): Set<string> {
  const names = new Map<string, number>();
  const headings = text
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1[^\S\n]*$/gm, '')
    .matchAll(/^#{1,6}\s+(.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) => {
      const name = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-');
      const seen = names.get(name) ?? 0;
      names.set(name, seen + 1);
      return seen === 0 ? name : `${name}-${seen}`;
    }),
  );
}

/** Compares the exact spelling, because some file systems ignore case (`readme.md` and `README.md`). */
function exists(path: string): boolean {
  const name = relative(dirname(path), path);
  if (name === '') return true;
  try {
    return readdirSync(dirname(path)).includes(name);
  } catch {
    return false;
  }
}

function deadLinks(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return targetsOf(text).filter((target) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return false;
    const [path = '', anchor = ''] = decodeURI(target).split('#', 2);
    const goal = path === '' ? file : join(dirname(file), path);
    if (!exists(goal)) return true;
    return anchor !== '' && goal.endsWith('.md') && !anchorsOf(readFileSync(goal, 'utf8')).has(anchor);
  });
}

describe('links in Markdown', () => {
  const files = markdownFiles(root);

  it('are looked for in the whole project', () => {
    const names = files.map((file) => relative(root, file));
    expect(names).toEqual(expect.arrayContaining(['README.md', join('docs', 'architecture.md')]));
  });

  it.each(files.map((file) => [relative(root, file), file] as const))('lead somewhere: %s', (_name, file) => {
    expect(deadLinks(file)).toEqual([]);
  });

  it('are found dead: a page, a heading, a picture, a spelling; addresses and code are left alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kennel-links-'));
    try {
      writeFileSync(join(folder, 'There.md'), '# A heading, with `code`\n');
      const page = join(folder, 'page.md');
      writeFileSync(
        page,
        [
          '[a](There.md) [b](There.md#a-heading-with-code) [c](https://example.org/x) `[d](gone.md)`',
          '[e](gone.md) [f](There.md#gone) [g](there.md) ![h](gone.png) <img src="gone-too.png">',
          '```\n[i](gone.md)\n```',
        ].join('\n'),
      );
      expect(deadLinks(page)).toEqual(['gone.md', 'There.md#gone', 'there.md', 'gone.png', 'gone-too.png']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool } from '../../../../test/fakes/call-tool.ts';
import { inEnglish } from '../../../../test/fakes/in-english.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { englishText } from '../../../language/host-message.ts';
import { createConfinedFiles } from '../confined/confined-files.ts';
import { createEditFileTool } from './edit-file.ts';
import { createListDirTool } from './list-dir.ts';
import { createReadFileTool } from './read-file.ts';
import { createSearchFilesTool } from './search-files.ts';
import { createWriteFileTool } from './write-file.ts';

let base = '';
let root = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-files-')));
  root = join(base, 'work');
  mkdirSync(root);
  writeFileSync(join(base, 'secret'), 'SECRET');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const files = () => createConfinedFiles({ cwd: root, readable: [], writable: [root] });
const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(root, name), content);
const get = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('read_file', () => {
  const read = (args: Record<string, unknown>) => callTool(createReadFileTool(files()), args);

  test('returns the text, or the requested lines with the next offset', async () => {
    put('a', 'one\ntwo\nthree\n');
    expect((await read({ path: 'a' })).text).toBe('one\ntwo\nthree');
    expect((await read({ path: 'a', offset: 2, limit: 1 })).text).toBe(
      'two\n[Lines 2 to 2 of 3. Go on with offset 3.]',
    );
    expect((await read({ path: 'a', offset: 9 })).text).toBe('[The file has only 3 lines.]');
    put('none', '');
    expect((await read({ path: 'none' })).text).toBe('[The file is empty.]');
  });

  test('returns a long file in parts and cuts long lines', async () => {
    put('long', `${'x'.repeat(5000)}\n${'y'.repeat(1000)}\n`.repeat(100));
    const { text } = await read({ path: 'long' });
    expect(text.length).toBeLessThan(62_000);
    expect(text).toContain('[line cut]');
    expect(text).toMatch(/\[Lines 1 to \d+ of 200\. Go on with offset \d+\.\]$/);
  });

  test('shows images, only names other binary files, and reads nothing outside', async () => {
    put('p.png', Buffer.from('89504e470d0a1a0a0000', 'hex'));
    expect((await read({ path: 'p.png' })).output?.content[1]).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
    });
    put('b', new Uint8Array([1, 0, 2]));
    expect((await read({ path: 'b' })).text).toBe('[A binary file of 3 bytes; not shown.]');
    const refused = await read({ path: '../secret' });
    expect(refused.assessment.blocked?.reason).toBe('forbidden');
    expect(refused.text).toContain('outside the folders');
  });

  test('has low risk and names the file it reads', async () => {
    put('a', '1');
    symlinkSync(join(root, 'a'), join(root, 'l'));
    expect(inEnglish((await read({ path: 'l' })).assessment)).toMatchObject({
      risk: 'low',
      effects: [{ kind: 'read', path: join(root, 'a') }],
      preview: { title: 'read a' },
    });
  });
});

describe('write_file', () => {
  const write = (args: Record<string, unknown>, meanwhile?: () => void) =>
    callTool(createWriteFileTool(files()), args, meanwhile);

  test('previews a new file with its lines, then writes it', async () => {
    const { assessment, text } = await write({ path: 'hello.md', content: '# Hello\nyou\n' });
    expect(inEnglish(assessment)).toEqual({
      risk: 'medium',
      effects: [{ kind: 'write', path: join(root, 'hello.md') }],
      preview: {
        kind: 'diff',
        title: 'write hello.md',
        body: 'New file, 2 lines\n@@ -0,0 +1,2 @@\n+# Hello\n+you',
        where: root,
      },
    });
    expect(text).toBe('Wrote hello.md, 2 lines.');
    expect(get('hello.md')).toBe('# Hello\nyou\n');
  });

  test('previews the difference to the existing file', async () => {
    put('a', 'one\ntwo\n');
    const { assessment } = await write({ path: 'a', content: 'one\n2\n' });
    expect(assessment.preview.body).toBe('@@ -1,2 +1,2 @@\n one\n-two\n+2');
    expect((await write({ path: 'a', content: 'one\n2\n' })).assessment.preview.body).toContain('No change');
  });

  test('refuses if the file has changed since the preview, and keeps the change', async () => {
    put('a', 'one\n');
    const replaced = await write({ path: 'a', content: 'mine\n' }, () => put('a', 'theirs\n'));
    expect(replaced.output?.isError).toBe(true);
    expect(get('a')).toBe('theirs\n');
    const created = await write({ path: 'b', content: 'mine\n' }, () => put('b', 'theirs\n'));
    expect(created.output?.isError).toBe(true);
    expect(get('b')).toBe('theirs\n');
  });

  test('creates parent folders, unless told not to, and only inside the roots', async () => {
    expect((await write({ path: 'x/y/z', content: '1', parents: false })).assessment.blocked?.reason).toBe(
      'not_found',
    );
    expect((await write({ path: 'x/y/z', content: '1' })).text).toBe('Wrote x/y/z, 1 line.');
    expect(get('x/y/z')).toBe('1');
    expect((await write({ path: '../out/z', content: '1', parents: true })).assessment.blocked?.reason).toBe(
      'forbidden',
    );
    symlinkSync(base, join(root, 'up'));
    expect((await write({ path: 'up/new/z', content: '1', parents: true })).assessment.blocked?.reason).toBe(
      'forbidden',
    );
  });

  test('cuts a large preview but writes the whole file', async () => {
    const content = 'line of text\n'.repeat(20_000);
    const { assessment } = await write({ path: 'big', content });
    expect(assessment.preview.body.length).toBeLessThan(66_000);
    expect(assessment.preview.body).toContain('cut here');
    expect(get('big')).toBe(content);
  });

  test('escapes a misleading file name in the preview', async () => {
    const { assessment } = await write({ path: 'a\u202Etxt.exe', content: '1' });
    expect(englishText(assessment.preview.title)).toBe('write "a\\u202etxt.exe"');
  });
});

describe('edit_file', () => {
  const edit = (args: Record<string, unknown>, meanwhile?: () => void) =>
    callTool(createEditFileTool(files()), { path: 'a', ...args }, meanwhile);

  test('replaces a unique text and previews the change', async () => {
    put('a', 'one\ntwo\n');
    const { assessment, text } = await edit({ old_text: 'two', new_text: '2' });
    expect(inEnglish(assessment.preview)).toMatchObject({
      title: 'edit a',
      body: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    });
    expect(text).toBe('Changed a (once).');
    expect(get('a')).toBe('one\n2\n');
  });

  test('rejects an impossible edit without asking for approval', async () => {
    put('a', 'x x\n');
    expect((await edit({ old_text: 'x', new_text: 'y' })).text).toContain('2 times');
    expect((await edit({ old_text: 'q', new_text: 'x' })).text).toContain('new_text is there already');
    expect((await edit({ old_text: 'x', new_text: 'x' })).text).toContain('the same');
    expect((await edit({ path: 'none', old_text: 'x', new_text: 'y' })).assessment.blocked?.reason).toBe(
      'not_found',
    );
    expect((await edit({ old_text: 'x', new_text: '$&', replace_all: true })).text).toBe(
      'Changed a (2 times).',
    );
    expect(get('a')).toBe('$& $&\n');
  });

  test('keeps the line endings of the file', async () => {
    put('a', 'one\r\ntwo\r\nthree\r\n');
    await edit({ old_text: 'one\ntwo', new_text: '1\n2\n2b' });
    expect(get('a')).toBe('1\r\n2\r\n2b\r\nthree\r\n');
    put('a', 'one\r\ntwo\n');
    expect((await edit({ old_text: 'one\ntwo', new_text: 'x' })).output).toBeNull();
  });

  test('refuses if the file has changed since the preview', async () => {
    put('a', 'one\n');
    expect(
      (await edit({ old_text: 'one', new_text: '1' }, () => put('a', 'one more\n'))).output?.isError,
    ).toBe(true);
    expect(get('a')).toBe('one more\n');
  });

  test('refuses if the path leads to another file than previewed', async () => {
    put('shown', 'one\n');
    put('other', 'one\n');
    symlinkSync('shown', join(root, 'link'));
    const swap = (): void => {
      rmSync(join(root, 'link'));
      symlinkSync('other', join(root, 'link'));
    };
    expect((await edit({ path: 'link', old_text: 'one', new_text: '1' }, swap)).output?.isError).toBe(true);
    expect(get('other')).toBe('one\n');
  });
});

describe('Repeated call id', () => {
  test.each(['turn-1', 'turn-2'])(
    'does not reuse the preview of a denied call for another call (%s)',
    async (turnId) => {
      put('a', 'one\n');
      put('b', 'two\n');
      const given = { edit: createEditFileTool(files()), write: createWriteFileTool(files()) };
      const denied = toolContext({ turnId: 'turn-1' });
      await given.edit.assess({ path: 'a', old_text: 'one', new_text: '1' }, denied);
      await given.write.assess({ path: 'a', content: '1\n' }, denied);
      const context = toolContext({ turnId });
      const edited = { path: 'b', old_text: 'two', new_text: '2' };
      await given.edit.assess(edited, context);
      expect((await given.edit.execute(edited, context)).isError).toBeUndefined();
      const written = { path: 'c', content: 'three\n' };
      await given.write.assess(written, context);
      expect((await given.write.execute(written, context)).isError).toBeUndefined();
      expect([get('a'), get('b'), get('c')]).toEqual(['one\n', '2\n', 'three\n']);
    },
  );
});

describe('list_dir and search_files', () => {
  const search = (args: Record<string, unknown>) => callTool(createSearchFilesTool(files()), args);

  test('lists a folder, with one line per name even if it holds line breaks', async () => {
    mkdirSync(join(root, 'd'));
    put('a\nb', '1');
    put('b', '12');
    const { text } = await callTool(createListDirTool(files()), {});
    expect(text).toBe('"a\\nb"  1 bytes\nb  2 bytes\nd/');
  });

  test('finds text with file and line, and skips binary files and generated folders', async () => {
    mkdirSync(join(root, 'src/node_modules'), { recursive: true });
    put('src/a.ts', 'let x;\n  needle here\n');
    put('src/node_modules/b.ts', 'needle');
    put('c.md', 'Needle');
    put('bin', new Uint8Array([0, 110]));
    symlinkSync(join(base, 'secret'), join(root, 'link'));
    expect((await search({ query: 'needle' })).text).toBe(
      'src/a.ts:2:   needle here\n[1 not looked into (binary, too large or not readable)]',
    );
    expect((await search({ query: 'needle', ignore_case: true, glob: '*.md' })).text).toBe('c.md:1: Needle');
    expect((await search({ query: 'needle', glob: 'src/**' })).text).toContain('src/a.ts:2');
    expect((await search({ query: 'SECRET' })).text).toContain('Nothing found');
    expect((await search({ query: 'x', path: '..' })).assessment.blocked?.reason).toBe('forbidden');
  });

  test('T25: supports regular expressions, reports invalid ones and stops endless ones', async () => {
    put('a', 'ab12\n');
    put('evil', `${'a'.repeat(40)}!\n`);
    expect((await search({ query: 'b\\d+', regex: true, path: 'a' })).text).toBe('a:1: ab12');
    expect((await search({ query: '(', regex: true })).text).toContain('cannot be used');
    const tool = createSearchFilesTool(files());
    const context = toolContext({ signal: AbortSignal.timeout(300) });
    const output = await tool.execute({ query: '^(a+)+$', regex: true, path: 'evil' }, context);
    expect(output.isError).toBe(true);
    expect(JSON.stringify(output)).toContain('took too long');
  });
});

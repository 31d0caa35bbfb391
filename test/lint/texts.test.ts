import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rawTexts, rawTextsOfTree } from '../../scripts/raw-texts.ts';
import { allKeys, unusedKeys, unusedTexts } from '../../scripts/unused-texts.ts';
import { isReason } from '../../src/contract/reasons.ts';
import { reasonText } from '../../src/core/agents/explain-decision.ts';
import { english } from '../../src/language/english.ts';
import { englishText } from '../../src/language/host-message.ts';

const file = 'src/renderer/a.tsx';
const rulesFor = (text: string, where = file): string[] => rawTexts(where, text).map(({ rule }) => rule);

describe('texts in the code', () => {
  it.each([
    ['<input aria-label="Name" />'],
    ['<input placeholder="what you look for" />'],
    ['<i title={open ? "less" : name} />'],
    [`<i title={\`Rename \${name}\`} />`],
    ['<Field hint={words ?? "as before"} />'],
    ['<Fact name="Connection" />'],
    ['const item = { label: "Open" };'],
  ])('text-in-a-prop bites: %s', (text) => {
    expect(rulesFor(text)).toEqual(['text-in-a-prop']);
  });

  it.each([
    ['say("They go on.");'],
    [`say(\`\${name} was removed.\`);`],
    ['const words = busy ? "Asking…" : name;'],
    ['const words = "is invited";'],
    [`const words = \`\${count} waiting\`;`],
    ['const all = ["a-b", "Kennel is not answering"];'],
  ])('raw-sentence bites: %s', (text) => {
    expect(rulesFor(text)).toEqual(['raw-sentence']);
  });

  it.each([
    ['say(t("chat.goOn"));'],
    ['<button className="button is small" data-testid="the button" />'],
    ['<i title={t("chat.send")} />'],
    ['<Icon name="close" />'],
    ['<path d="M3.5 9 10 3.5 16.5 9" />'],
    ['if (event.key === "Enter") send();'],
    ['log.warn("the page could not be read");'],
    ['throw new Error("no such view");'],
    ['import a from "./The File.ts";'],
    ['type Kind = "one kind" | "Another kind";'],
    [`const size = \`\${bytes} KiB\`;`],
    ['const key = { hint: "kindQuestion" };'],
    ['// A sentence for whoever reads this.'],
  ])('lets stand: %s', (text) => {
    expect(rulesFor(text)).toEqual([]);
  });

  it('lets the shell answer programs, and nobody else, in its own words', () => {
    const text = 'const answer = "Only GET is answered here.";';
    expect(rulesFor(text, 'src/main/page-protocol.ts')).toEqual([]);
    expect(rulesFor(text, 'src/main/tray-menu.ts')).toEqual(['raw-sentence']);
  });

  it('are not there', () => {
    expect(rawTextsOfTree()).toEqual([]);
  });
});

describe('words between tags', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are refused by the linter', () => {
    folder = mkdtempSync(path.join(root, 'src/renderer/chat/lint-'));
    writeFileSync(path.join(folder, 'a.tsx'), 'export const A = () => <p>Nothing yet</p>;\n');
    const linted = spawnSync(
      path.join(root, 'node_modules/.bin/biome'),
      ['lint', path.relative(root, folder)],
      { cwd: root, encoding: 'utf8' },
    );
    expect(linted.status).toBe(1);
    expect(linted.stderr + linted.stdout).toContain('noJsxLiterals');
  });
});

describe('the texts', () => {
  it('that nothing says are found; keys made from a value count', () => {
    const sources = [
      't("a.one")',
      "t.rich('a.two', { b })",
      `t(\`a.dot_\${dot}\`)`,
      `t(\`a.\${kind}Title\`)`,
      `const tabs = ['open', 'shut']; t(\`b.\${tab}\`)`,
      `const all = { file: ['name'] }; t(\`c.\${group}_\${field}\`)`,
    ];
    const keys = [
      'b.open',
      'b.gone',
      'a.one',
      'a.two',
      'a.dot_idle',
      'a.askTitle',
      'a.left',
      'b.one',
      'a.dot_',
      'a.Title',
      'c.file_name',
      'c.file_other',
    ];
    const unused = ['b.gone', 'a.left', 'b.one', 'a.dot_', 'a.Title', 'c.file_other'];
    expect(unusedKeys(keys, sources)).toEqual(unused);
  });

  it('are all said somewhere', () => {
    expect(allKeys().length).toBeGreaterThan(300);
    expect(unusedTexts()).toEqual([]);
  });

  it('of reasons are those that the host has', () => {
    for (const [reason, text] of Object.entries(english.reasons)) {
      expect(isReason(reason)).toBe(true);
      expect(englishText(reasonText(reason))).toBe(text);
    }
  });
});

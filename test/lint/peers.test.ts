/** Checks that the protocol test clients import no product code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../peers');
const files = readdirSync(folder);

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '');
const strangers = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !/^node:[a-z]+$/.test(name) && name !== 'ws' && !/^\.\/[a-z-]+\.ts$/.test(name));

it('a peer imports Node, the WebSocket and other peers, nothing of the product', () => {
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(strangers(importsOf(readFileSync(path.join(folder, file), 'utf8'))), file).toEqual([]);
  }
});

it('an import of the product would be seen, however it is written', () => {
  const lines = [
    "import { utf8 } from '../../src/core/lib/bytes.ts';",
    "import type { A } from '../fakes/a.ts';",
    "const b = await import('../../src/b.ts');",
    "export { c } from '../peers/../../src/c.ts';",
    "import 'zod';",
  ];
  for (const line of lines) expect(strangers(importsOf(line)), line).toHaveLength(1);
});

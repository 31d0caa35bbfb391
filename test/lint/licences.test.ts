import path from 'node:path';
import { expect, test } from 'vitest';
import { thirdParty } from '../../scripts/lib/licences.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('every package in the product is listed with its licence, and none of those that only build it', () => {
  const all = thirdParty(root);
  const names = all.map(({ name }) => name);
  // Imported by a source, a dependency of an import, or loaded at run time beside the bundles.
  expect(names).toEqual(expect.arrayContaining(['react', 'zod', 'scheduler', 'sodium-native', 'hono']));
  for (const name of ['vite', 'vitest', 'typescript', 'electron', 'kennel'])
    expect(names).not.toContain(name);
  expect(all.filter(({ licence }) => licence === 'not named')).toEqual([]);
  expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
  // The package leaves the file out, because the list holds its text.
  expect(all.some(({ text }) => text.includes('is built from the Rust crates below'))).toBe(true);
  expect(all.find(({ name }) => name === 'react')?.text).toContain('Permission is hereby granted');
});

/**
 * Seeds of randomised tests (`test/fixtures/seeds.json`): one for every test file, and those that once broke
 * a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './project.mjs';

const seedFile = inRoot('test/fixtures/seeds.json');

/** The list plus a failing seed for each of these test files, without duplicates. */
export function withFailures(list, seed, files) {
  const isKnown = (file) => list.failed.some((each) => each.seed === seed && each.file === file);
  const added = [...new Set(files)].filter((file) => !isKnown(file)).map((file) => ({ seed, file }));
  return { ...list, failed: [...list.failed, ...added] };
}

/**
 * Makes `npm test` run these files with this seed from now on, too.
 * @param {number} seed
 * @param {readonly string[]} files
 * @param {(line: string) => void} say
 */
export function keepFailures(seed, files, say, target = seedFile) {
  if (files.length === 0) return;
  const list = JSON.parse(readFileSync(target, 'utf8'));
  writeFileSync(target, `${JSON.stringify(withFailures(list, seed, files), null, 2)}\n`);
  say(`\nAdded seed ${seed} to test/fixtures/seeds.json for:\n${[...new Set(files)].join('\n')}`);
  say('Remove an entry whose failure has nothing to do with the seed.');
}

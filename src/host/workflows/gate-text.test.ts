import { expect, it } from 'vitest';
import { fileFrom } from './gate-text.ts';

it.each([
  ['beside where the run works', '/home/me/flows', '/home/me/flows/ship.puppy', 'ship.puppy'],
  ['below it', '/work/site', '/work/site/flows/ship.puppy', 'flows/ship.puppy'],
  ['elsewhere', '/home/me/flows', '/opt/kennel/hello.puppy', '/opt/kennel/hello.puppy'],
  ['beside a folder of a like name', '/work/site', '/work/site-2/ship.puppy', '/work/site-2/ship.puppy'],
  ['in a folder that begins with dots', '/work', '/work/..old/ship.puppy', '..old/ship.puppy'],
])('a file %s is named so that it is found', (_where, cwd, file, named) => {
  expect(fileFrom(cwd, file)).toBe(named);
});

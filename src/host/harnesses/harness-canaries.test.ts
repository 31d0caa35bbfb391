import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createHarnessCanaries } from './harness-canaries.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-canaries-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function canaries() {
  let searches = 0;
  const random = createSeededRandom(1);
  const made = createHarnessCanaries({
    disk: createDisk(random),
    path: join(folder, 'runtimes.json'),
    clock: createVirtualClock(),
    random,
    find: async () => {
      searches += 1;
      throw new Error('looked for the program');
    },
    processes: async () => ({
      start: async () => err(fail('unavailable', 'harness.noWall')),
      hasWalls: async () => false,
      commandLine: async () => err(fail('unavailable', 'harness.noWall')),
    }),
  });
  return { made, searches: () => searches };
}

const kept = { version: '2.1.330', at: 1, passed: ['shell'] };

describe('Kept results of the canary', () => {
  it('hold for their version, and a changed version is tested again before its next start', async () => {
    writeFileSync(join(folder, 'runtimes.json'), JSON.stringify({ 'claude-code': kept }));
    const { made, searches } = canaries();
    expect(made.of('claude-code', '2.1.330')).toEqual(kept);
    expect(made.of('claude-code', '2.1.331')).toBeNull();
    expect(await made.renewed('claude-code', '2.1.330')).toEqual(kept);
    expect(searches()).toBe(0);
    await expect(made.renewed('claude-code', '2.1.331')).rejects.toThrow('looked for the program');
  });

  it('are not made for a program that nobody has tested', async () => {
    const { made, searches } = canaries();
    expect([await made.renewed('claude-code', '2.1.330'), searches()]).toEqual([null, 0]);
  });
});

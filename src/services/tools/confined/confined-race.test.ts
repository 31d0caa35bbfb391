import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { proof, seed } from '../../../../test/fakes/test-run.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { createConfinedFiles } from './confined-files.ts';
import { handlesWork } from './folder-handle.ts';

/** Number of trees; CI runs a sample, the proof run more. */
const trees = proof ? 10_000 : 60;
const secret = 'FROM-OUTSIDE';

const files = ['f0', 'f1', 'd0/f0', 'd0/f1', 'd1/f1', 'd0/d0/f0', 'd1/d1/f0'];
const folders = ['d0', 'd1', 'd0/d0', 'd1/d1'];

function plant(root: string, content: string): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const file of files) writeFileSync(join(root, file), content);
}

/** All entries below, with their content. */
function pictureOf(root: string): string {
  return readdirSync(root, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const path = join(root, name);
      return statSync(path).isFile() ? `${name}=${readFileSync(path, 'utf8')}` : name;
    })
    .join('\n');
}

interface Tally {
  done: number;
  refused: number;
  leaked: string[];
  /** The outside folder's content at the end. */
  after: string;
}

async function actOnce(
  confined: ConfinedFiles,
  pick: <T>(items: readonly T[]) => T,
  tally: Tally,
): Promise<void> {
  const file = pick(files);
  const folder = pick(folders);
  const content = new TextEncoder().encode('mine');
  const kind = pick([
    'read',
    'read',
    'read',
    'list',
    'write',
    'create',
    'touch',
    'copy',
    'tree',
    'move',
    'remove',
    'make',
  ]);
  const note = (result: { readonly ok: boolean }): void => {
    if (result.ok) tally.done += 1;
    else tally.refused += 1;
  };
  if (kind === 'read') {
    const got = await confined.read(file, { maxBytes: 100 });
    note(got);
    if (got.ok && Buffer.from(got.value.bytes).includes(secret)) tally.leaked.push(`read ${file}`);
  } else if (kind === 'list') {
    const got = await confined.list(folder, 50);
    note(got);
    if (got.ok && got.value.entries.some(({ name }) => name === 'mark')) tally.leaked.push(`list ${folder}`);
  } else if (kind === 'write') note(await confined.write(file, content, 'replace'));
  else if (kind === 'create') note(await confined.write(`${folder}/new`, content, 'create'));
  else if (kind === 'touch') note(await confined.touch(file));
  else if (kind === 'copy') note(await confined.copy(file, 'copied', false));
  else if (kind === 'tree') note(await confined.copy(folder, `${pick(folders)}/tree`, true));
  else if (kind === 'move') note(await confined.move(file, `${folder}/moved`));
  else if (kind === 'remove') note(await confined.remove(pick([file, folder]), true));
  else note(await confined.makeFolder(`${folder}/x/y`, true));
}

/**
 * Plain files below `root` with content from outside; the swapper's own hard links are no copies, its links
 * no folders.
 */
function copiesIn(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const path = join(root, entry.name);
    if (entry.isDirectory()) return copiesIn(path);
    if (!entry.isFile() || statSync(path).nlink > 1) return [];
    return readFileSync(path, 'utf8').includes(secret) ? [path] : [];
  });
}

// Other systems have no such handles (folder-handle.ts describes their guarantees).
test.skipIf(!handlesWork)(
  `T14: Links swapped at any moment leak no byte from outside (${trees} trees, seed ${seed})`,
  { timeout: 60_000 + trees * 500 },
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-race-')));
    const [root, outside] = [join(base, 'work'), join(base, 'outside')];
    mkdirSync(root);
    plant(outside, secret);
    for (const folder of folders) writeFileSync(join(outside, folder, 'mark'), secret);
    const before = pictureOf(outside);
    const confined = createConfinedFiles({ cwd: root, readable: [], writable: [root] });
    const random = createSeededRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random.fraction() * items.length)] as T;
    const swapper = fork(join(import.meta.dirname, '../../../../test/children/link-swapper.mjs'), [
      root,
      outside,
      `${seed}`,
    ]);
    const tally: Tally = { done: 0, refused: 0, leaked: [], after: '' };
    try {
      await once(swapper, 'message');
      for (let tree = 0; tree < trees; tree += 1) {
        const next = join(base, `tree-${tree}`);
        plant(next, 'inside');
        // Trees are created and removed elsewhere and renamed whole: only the code under test works while
        // links are swapped.
        renameSync(root, join(base, `last-${tree}`));
        renameSync(next, root);
        // Checks an older tree, because the swapper may still be working in the newest ones.
        const calm = join(base, `last-${tree - 3}`);
        if (tree >= 3) {
          tally.leaked.push(...copiesIn(calm));
          rmSync(calm, { recursive: true, maxRetries: 20 });
        }
        for (let n = 0; n < 20; n += 1) await actOnce(confined, pick, tally);
      }
    } finally {
      const gone = once(swapper, 'exit');
      swapper.kill();
      await gone;
      const left = readdirSync(base).filter((name) => name !== 'outside');
      tally.leaked.push(...left.flatMap((name) => copiesIn(join(base, name))));
      tally.after = pictureOf(outside);
      rmSync(base, { recursive: true, force: true });
    }
    expect(tally.leaked).toEqual([]);
    expect(tally.after).toBe(before);
    // Proves that the race was real: both outcomes occurred often.
    expect(Math.min(tally.done, tally.refused)).toBeGreaterThan(trees / 10);
  },
);

/**
 * Alternates links and real files at the same paths as fast as it can: `node link-swapper.mjs INSIDE OUTSIDE
 * SEED`.
 */
import { linkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createSeededRandom } from '../fakes/seeded-random.ts';

const [, , inside, outside, seed] = process.argv;
const random = createSeededRandom(Number(seed));
const pick = (items) => items[Math.floor(random.fraction() * items.length)];
const places = ['f0', 'f1', 'd0', 'd1', 'd0/f0', 'd0/d0', 'd0/d0/f0', 'd1/f1', 'd1/d1'];
const attempt = (work) => {
  try {
    work();
  } catch {
    // The other process created or removed it meanwhile.
  }
};

process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.send('ready');
function swap() {
  for (let n = 0; n < 200; n += 1) {
    const place = pick(places);
    const [here, aside, there] = [join(inside, place), join(inside, `${place}.aside`), join(outside, place)];
    attempt(() => renameSync(here, aside));
    attempt(() => (pick([0, 0, 1]) === 1 ? linkSync(there, here) : symlinkSync(there, here)));
    attempt(() => rmSync(here));
    attempt(() => renameSync(aside, here));
  }
  setImmediate(swap);
}
swap();

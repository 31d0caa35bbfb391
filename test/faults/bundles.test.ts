import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { contents, makeOldHome } from '../fakes/puffo-home.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { testCrypto } from '../fakes/test-crypto.ts';
import { proof, seed } from '../fakes/test-run.ts';

const kills = proof ? 200 : 3;
let root: string;

function kennel(home: string, ...args: string[]): ChildProcess {
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    KENNEL_HOME: home,
    KENNEL_NO_KEYCHAIN: '1',
    KENNEL_PASSPHRASE: 'correct horse',
    KENNEL_BUNDLE_PASSPHRASE: 'four words are enough',
  };
  return spawn(process.execPath, [kennelEntry, ...args], { env, stdio: 'ignore' });
}

async function done(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
}

/** Kills `child` some ms after `begun`, unless it ended before. */
async function killIn(child: ChildProcess, begun: () => boolean, ms: number): Promise<void> {
  const ended = once(child, 'close');
  while (!begun() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  await ended;
}

const holds = (folder: string, part: RegExp): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => part.test(name));

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kennel-bundles-'));
  const { folder } = makeOldHome(path.join(root, 'old'), testCrypto);
  const workspace = path.join(folder, 'agents/bot/workspace/many');
  mkdirSync(workspace);
  for (let n = 0; n < 150; n += 1) writeFileSync(path.join(workspace, `${n}.txt`), `${n}\n`.repeat(2_000));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('A killed import leaves the complete agent or none of it (F26)', async () => {
  const whole = path.join(root, 'whole');
  await done(kennel(whole, 'import', path.join(root, 'old'), '--yes'));
  const expected = Object.keys(contents(path.join(whole, 'agents/bot')));
  expect(expected.length).toBeGreaterThan(150);
  const random = createSeededRandom(seed);
  let cut = 0;
  for (let round = 0; round < kills; round += 1) {
    const home = path.join(root, `killed-${round}`);
    const agents = path.join(home, 'agents');
    const child = kennel(home, 'import', path.join(root, 'old'), '--yes');
    await killIn(child, () => holds(agents, /^[.]new-/), Math.floor(random.fraction() * 150));
    if (existsSync(path.join(agents, 'bot'))) {
      expect(Object.keys(contents(path.join(agents, 'bot')))).toEqual(expected);
    } else {
      cut += 1;
      await done(kennel(home, 'import', path.join(root, 'old'), '--yes'));
      expect(Object.keys(contents(path.join(agents, 'bot')))).toEqual(expected);
    }
    rmSync(home, { recursive: true, force: true });
  }
  expect(cut).toBeGreaterThan(0);
}, 1_200_000);

it('A killed export leaves the old file or the new one (F26)', async () => {
  const home = path.join(root, 'home');
  await done(kennel(home, 'import', path.join(root, 'old'), '--yes'));
  const out = path.join(root, 'out');
  const file = path.join(out, 'bot.puffoagent');
  const leave = ['agent', 'export', 'bot', file, '--force'];
  await done(kennel(home, ...leave));
  const random = createSeededRandom(seed);
  for (let round = 0; round < kills; round += 1) {
    await killIn(kennel(home, ...leave), () => holds(out, /[.]tmp$/), Math.floor(random.fraction() * 60));
    await done(kennel(home, 'import', file, '--review'));
  }
}, 1_200_000);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createLockHandlers } from './lock-handlers.ts';
import { createWindowLock } from './window-lock.ts';

let folder = '';
eachTestInFolder('kennel-lock-', (made) => {
  folder = made;
});

function rig(vaultPassphrase: string | null = null) {
  const clock = createVirtualClock();
  const lock = createWindowLock({
    clock,
    random: createSeededRandom(2),
    disk: createDisk(createSeededRandom(1)),
    path: join(folder, 'window-lock.json'),
    vault: {
      hasPassphrase: () => vaultPassphrase !== null,
      check: async (text) =>
        text === vaultPassphrase ? ok(undefined) : err(fail('unauthenticated', 'secrets.lockWrong')),
    },
  });
  return { clock, lock };
}

it('opens with its own passphrase only, and keeps no copy of it', async () => {
  const { lock } = rig();
  expect(lock.kind()).toBe('none');
  expect((await lock.set('open sesame', null)).ok).toBe(true);
  expect(lock.kind()).toBe('own');
  expect(readFileSync(join(folder, 'window-lock.json'), 'utf8')).not.toContain('sesame');
  expect(await lock.check('open says me', 'app')).toMatchObject({ error: { code: 'unauthenticated' } });
  expect((await lock.check('open sesame', 'app')).ok).toBe(true);
  expect(await lock.set('another', 'guess')).toMatchObject({ error: { code: 'unauthenticated' } });
  expect((await lock.set('another', 'open sesame')).ok).toBe(true);
  expect((await lock.check('another', 'app')).ok).toBe(true);
});

it('uses the passphrase of the vault if it has one, and slows guessing down', async () => {
  const { clock, lock } = rig('of the vault');
  expect(lock.kind()).toBe('vault');
  expect(await lock.set('mine', null)).toMatchObject({ error: { code: 'conflict' } });
  for (let guess = 0; guess < 5; guess += 1)
    expect(await lock.check(`guess ${guess}`, 'app')).toMatchObject({ error: { code: 'unauthenticated' } });
  expect(await lock.check('of the vault', 'app')).toMatchObject({ error: { code: 'rate_limited' } });
  await clock.advance(30_000);
  expect((await lock.check('of the vault', 'app')).ok).toBe(true);
});

it('checks one attempt at a time, so that parallel guesses count too', async () => {
  const { lock } = rig('of the vault');
  const guesses = [...Array.from({ length: 20 }, (_, index) => `guess ${index}`), 'of the vault'];
  const answers = await Promise.all(guesses.map((guess) => lock.check(guess, 'browser')));
  const codes = answers.map((answer) => (answer.ok ? 'opened' : answer.error.code));
  expect(codes).toEqual(['unauthenticated', ...guesses.slice(1).map(() => 'rate_limited')]);
  expect((await lock.check('of the vault', 'browser')).ok).toBe(true);
});

it('guesses in a browser do not keep the owner out of the app', async () => {
  const { lock } = rig('of the vault');
  for (let guess = 0; guess < 5; guess += 1) await lock.check(`guess ${guess}`, 'browser');
  expect(await lock.check('of the vault', 'browser')).toMatchObject({ error: { code: 'rate_limited' } });
  expect((await lock.check('of the vault', 'app')).ok).toBe(true);
});

it('tells the windows of the app of each unlock at a terminal', async () => {
  const { lock } = rig();
  const secrets = { changePassphrase: async () => ok(undefined) };
  const handlers = createLockHandlers({ lock, secrets, pages: () => null });
  const owner = { kind: 'owner-cli' } as const;
  const lastOpened = async (): Promise<string | null> => {
    const view = await handlers['lock.view']({}, owner);
    return view.ok ? view.value.lastOpened : 'no answer';
  };
  expect(await lastOpened()).toBeNull();
  expect(await handlers['host.unlockPage']({}, owner)).toEqual(ok({ wasLocked: false }));
  const first = await lastOpened();
  await handlers['host.unlockPage']({}, owner);
  expect(new Set([null, first, await lastOpened()]).size).toBe(3);
});

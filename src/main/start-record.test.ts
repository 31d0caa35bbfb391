import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../test/fakes/each-test-in-folder.ts';
import { jsonFile } from './json-file.ts';
import { beginStart, startHeld, startRecordSchema } from './start-record.ts';
import { startUpdates, type Updater } from './updates.ts';
import { placeInSight } from './window-position.ts';

let folder = '';
eachTestInFolder('kennel-starts-', (made) => {
  folder = made;
});

const minute = 60_000;
const record = () => jsonFile(path.join(folder, 'starts.json'), startRecordSchema);

it('A fourth start asks first if three starts within five minutes failed', () => {
  const asked = [0, 1, 2, 3].map((at) => beginStart(record(), 1000 * minute + at * minute));
  expect(asked).toEqual([false, false, false, true]);
});

it('The start record drops old entries and is cleared by a successful start', () => {
  for (const at of [0, 3, 6]) expect(beginStart(record(), 1000 * minute + at * minute)).toBe(false);
  expect(beginStart(record(), 1007 * minute)).toBe(false);
  startHeld(record());
  expect(beginStart(record(), 1007 * minute)).toBe(false);
});

it('A damaged or future start record does not block a start', () => {
  writeFileSync(path.join(folder, 'starts.json'), '{"begun":[1,');
  expect(beginStart(record(), minute)).toBe(false);
  writeFileSync(path.join(folder, 'starts.json'), '{"begun":[9e15,9e15,9e15]}');
  expect(beginStart(record(), minute)).toBe(false);
});

it('The window position is restored only if a screen shows it', () => {
  const screen = { x: 0, y: 0, width: 1400, height: 900 };
  const bounds = { x: 50, y: 60, width: 800, height: 600 };
  expect(placeInSight(bounds, [screen])).toEqual(bounds);
  expect(placeInSight({ ...bounds, x: 3000 }, [screen])).toBeNull();
  expect(placeInSight({ ...bounds, y: -500 }, [screen])).toBeNull();
  expect(placeInSight({ ...bounds, width: 5000 }, [screen])?.width).toBe(1400);
});

function fakeUpdater() {
  const listeners = new Map<string, (given: never) => void>();
  const done: string[] = [];
  const updater: Updater = {
    autoDownload: false,
    autoInstallOnAppQuit: true,
    allowDowngrade: true,
    logger: {},
    on: (event: string, listener: (given: never) => void) => listeners.set(event, listener),
    checkForUpdates: async () => void done.push('check'),
    quitAndInstall: () => void done.push('install'),
  };
  return {
    updater,
    done,
    downloaded: () => listeners.get('update-downloaded')?.({ version: '2.0.0' } as never),
  };
}

const options = (more: object = {}) => ({
  packaged: true,
  resources: folder,
  wanted: () => true,
  onReady: () => {},
  warn: () => {},
  firstMs: 1,
  ...more,
});

it('No update check runs in a build without an update address (T23)', async () => {
  const load = () => Promise.reject(new Error('must not be loaded'));
  const updates = startUpdates(options({ load, warn: (text: string) => expect(text).toBe('') }));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(updates).toMatchObject({ configured: false });
  expect(updates.install()).toBe(false);
  writeFileSync(path.join(folder, 'app-update.yml'), '');
  expect(startUpdates(options({ packaged: false, load })).configured).toBe(false);
});

it('An update is downloaded but installed only on request (T23)', async () => {
  writeFileSync(path.join(folder, 'app-update.yml'), '');
  const { updater, done, downloaded } = fakeUpdater();
  const ready: string[] = [];
  const updates = startUpdates(
    options({ load: async () => updater, onReady: (version: string) => ready.push(version) }),
  );
  await expect.poll(() => done).toEqual(['check']);
  expect(updater).toMatchObject({ autoInstallOnAppQuit: false, allowDowngrade: false });
  expect(updates.install()).toBe(false);
  downloaded();
  expect(ready).toEqual(['2.0.0']);
  expect(updates.install()).toBe(true);
  expect(done).toEqual(['check', 'install']);
  updates.stop();
});

it('No update check runs while the person has disabled it', async () => {
  writeFileSync(path.join(folder, 'app-update.yml'), '');
  const { updater, done } = fakeUpdater();
  const updates = startUpdates(options({ load: async () => updater, wanted: () => false }));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(done).toEqual([]);
  updates.stop();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RelayStore } from '../../relay/store-port.ts';
import { openRelayStore } from './relay-store.ts';

let folder = '';
let store: RelayStore;
const device = {
  deviceId: 'dev_a',
  slug: 'ada-1111',
  signingPublicKey: 's',
  kemPublicKey: 'k',
  createdAt: 1,
  expiresAt: null,
  revokedFrom: null,
};
const channelId = 'ch_1';
const joins = (slug: string): void => store.spaces.saveChannelMember(channelId, { slug, role: 'member' }, 1);
const members = (): readonly string[] => store.spaces.channelMembers(channelId).map(({ slug }) => slug);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-rows-'));
  store = openRelayStore(join(folder, 'relay.db'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('The relay’s cached reads see every change, also within a transaction (T7)', () => {
  store.transaction(() => {
    store.people.addDevice(device);
    joins('ada-1111');
    expect(members()).toEqual(['ada-1111']);
    expect(store.people.devicesOf(['ada-1111'])).toEqual([device]);
    joins('bob-2222');
    expect(members()).toEqual(['ada-1111', 'bob-2222']);
    store.people.revokeDevice('dev_a', 5);
    expect(store.people.device('dev_a')?.revokedFrom).toBe(5);
    expect(store.people.devicesOf(['ada-1111'])[0]?.revokedFrom).toBe(5);
    store.spaces.removeChannelMember(channelId, 'ada-1111');
    expect(members()).toEqual(['bob-2222']);
  });
  expect(members()).toEqual(['bob-2222']);
});

test('A rollback removes its changes from the relay’s read cache, for an attempt and a whole transaction', () => {
  store.transaction(() =>
    store.attempt(
      () => {
        joins('ada-1111');
        return members();
      },
      () => false,
    ),
  );
  expect(members()).toEqual([]);
  const failed = (): void =>
    store.transaction(() => {
      joins('ada-1111');
      expect(members()).toEqual(['ada-1111']);
      throw new Error('the disk');
    });
  expect(failed).toThrow('the disk');
  expect(members()).toEqual([]);
});

test('Reads stay correct with more rows than the cache holds', () => {
  store.transaction(() => {
    for (let n = 0; n < 150; n += 1) joins(`p${n}-1111`);
  });
  for (let n = 0; n < 200; n += 1) {
    expect(store.spaces.channelMember(channelId, `p${n}-1111`) !== null).toBe(n < 150);
    expect(members()).toHaveLength(150);
    store.people.device(`dev_${n}`);
  }
});

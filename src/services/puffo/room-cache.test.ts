import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { createRig, must, type Rig } from '../../../test/fakes/puffo-rig.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { createRoomMemory, type SeenRooms } from './room-cache.ts';

const seen: SeenRooms = {
  spaces: [{ id: 'sp_1', name: 'Garden', role: 'owner', archived: false }],
  channels: [{ id: 'ch_1', spaceId: 'sp_1', name: 'beds', encrypted: true }],
};

describe('Stored room list', () => {
  it('is restored from the store, and is empty if it cannot be read', () => {
    const store = createMemoryAccountStore('ada-0001');
    expect(createRoomMemory(store).recall().channels).toEqual([]);
    createRoomMemory(store).remember(seen);
    expect(createRoomMemory(store).recall()).toEqual(seen);
    for (const text of ['{', '[]', '{"spaces":[{}],"channels":[]}']) {
      store.setValue('rooms_seen', text);
      expect(createRoomMemory(store).recall(), text).toEqual({ spaces: [], channels: [] });
    }
    const failing = {
      getValue: () => {
        throw new StoreError('io_error', 'The disk failed.');
      },
      setValue: () => {
        throw new StoreError('io_error', 'The disk failed.');
      },
    };
    createRoomMemory(failing).remember(seen);
    expect(createRoomMemory(failing).recall().spaces).toEqual([]);
  });

  it('is written only when changed', () => {
    const store = createMemoryAccountStore('ada-0001');
    let writes = 0;
    const counted = {
      getValue: (key: string) => store.getValue(key),
      setValue: (key: string, value: string) => {
        writes += 1;
        store.setValue(key, value);
      },
    };
    createRoomMemory(counted).remember(seen);
    const memory = createRoomMemory(counted);
    memory.remember(seen);
    memory.remember({ ...seen, channels: [] });
    expect(writes).toBe(2);
  });
});

describe('Start without the server', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await createRig();
  });
  afterEach(() => rig.stop());

  it('shows the spaces and channels of the last run until the server lists them', async () => {
    const identity = await rig.person('ada');
    const first = rig.open(identity, { watchRooms: true });
    await first.online();
    const { spaceId, generalChannelId } = must(await first.account.createSpace('Garden'));
    await first.account.stop();
    const later = rig.open(identity, { watchRooms: true, store: first.store, session: first.session });
    expect(later.account.rooms()).toMatchObject({
      spaces: [{ id: spaceId, name: 'Garden' }],
      channels: [{ id: generalChannelId, name: 'general', encrypted: true }],
    });
    expect(later.account.channelName(generalChannelId)).toBe('general');
    const agent = rig.open(identity, { store: first.store, session: first.session });
    expect(agent.account.rooms().channels, 'nobody looks').toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import { findChannel, findSpace } from './find-space.ts';

const space = (id: SpaceId, name: string) => ({ id, name, role: 'owner', archived: false });
const channel = (id: ChannelId, spaceId: SpaceId, name: string) => ({
  id,
  spaceId,
  name,
  encrypted: true,
  members: [],
});
const rooms: RoomsSnapshot = {
  spaces: [space('sp_1', 'Garden'), space('sp_2', 'Shed'), space('sp_3', 'shed'), space('sp_4', 'a/#b')],
  channels: [
    channel('ch_1', 'sp_1', 'general'),
    channel('ch_2', 'sp_2', 'general'),
    channel('ch_3', 'sp_1', 'Beds'),
    channel('ch_4', 'sp_4', 'deep'),
  ],
};
const spaceOf = (wanted: string): string => {
  const found = findSpace(wanted, rooms);
  return found.ok ? found.value.id : found.error.code;
};
const channelOf = (wanted: string, inSpace?: string): string => {
  const found = findChannel(wanted, rooms, inSpace);
  return found.ok ? found.value.id : found.error.code;
};

describe('Space lookup', () => {
  it('finds a space by id or by unique name', () => {
    expect(['sp_2', 'Garden', ' garden ', 'a/#b'].map(spaceOf)).toEqual(['sp_2', 'sp_1', 'sp_1', 'sp_4']);
  });

  it('lists candidates for an ambiguous name and suggests a close one', () => {
    const several = findSpace('Shed', rooms);
    expect(several).toMatchObject({ error: { code: 'invalid_input', hint: 'Use one of: sp_2, sp_3.' } });
    const near = findSpace('Gardn', rooms);
    expect(!near.ok && near.error.message).toContain('Did you mean "Garden"?');
    expect(findSpace('', rooms)).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('Channel lookup', () => {
  it('finds a channel by id, #name, name or within a space', () => {
    expect(
      ['ch_2', '#beds', 'Beds', 'Garden/#general', 'sp_2/#general'].map((text) => channelOf(text)),
    ).toEqual(['ch_2', 'ch_3', 'ch_3', 'ch_1', 'ch_2']);
    expect(channelOf('#general', 'Garden')).toBe('ch_1');
    // The last `/#` is the separator, so a space may contain one in its name.
    expect(channelOf('a/#b/#deep')).toBe('ch_4');
  });

  it('lists the spaces of an ambiguous channel and suggests a close name', () => {
    const several = findChannel('#general', rooms);
    expect(several).toMatchObject({ error: { code: 'invalid_input' } });
    expect(!several.ok && several.error.hint).toBe('Use one of: "Garden/#general", "Shed/#general".');
    expect(channelOf('Shed/#general')).toBe('invalid_input');
    expect(channelOf('#general', 'Nowhere')).toBe('not_found');
    const near = findChannel('#bed', rooms);
    expect(!near.ok && near.error.message).toContain('Did you mean "#Beds"?');
  });
});

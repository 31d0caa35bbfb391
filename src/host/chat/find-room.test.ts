import { describe, expect, it } from 'vitest';
import type { Room } from '../../contract/model.ts';
import { type Addressable, findTarget } from './find-room.ts';

const channel = (id: string, name: string, spaceId: string): Room => ({
  id,
  kind: 'channel',
  name,
  spaceId,
  encrypted: true,
  members: [],
  unread: 0,
  lastMessageAt: null,
  lastText: '',
});

const world: Addressable = {
  rooms: [
    channel('ch_1', 'general', 'sp_1'),
    channel('ch_2', 'general', 'sp_2'),
    channel('ch_3', 'ops', 'sp_1'),
  ],
  spaceNames: new Map([
    ['sp_1', 'Home'],
    ['sp_2', 'Work'],
  ]),
  agents: [
    { id: 'guide', slug: 'guide-12ab', displayName: 'Guide' },
    { id: 'draft', slug: null, displayName: 'Draft' },
    { id: 'other', slug: 'plain', displayName: 'Odd' },
    { id: 'twin', slug: 'twin-0001', displayName: 'Sam' },
  ],
  people: [
    { slug: 'sam-0002', displayName: 'Sam' },
    { slug: 'zoe', displayName: 'Zoë' },
  ],
};

describe('Chat target lookup', () => {
  it.each([
    ['ch_2', { kind: 'channel', channelId: 'ch_2', spaceId: 'sp_2' }],
    ['#ops', { kind: 'channel', channelId: 'ch_3' }],
    ['#OPS', { kind: 'channel', channelId: 'ch_3' }],
    ['work/#general', { kind: 'channel', channelId: 'ch_2', spaceId: 'sp_2' }],
    ['sp_1/#general', { kind: 'channel', channelId: 'ch_1' }],
    ['guide', { kind: 'dm', slug: 'guide-12ab', roomId: 'dm:guide-12ab' }],
    ['@guide-12ab', { kind: 'dm', slug: 'guide-12ab' }],
    ['dm:guide-12ab', { kind: 'dm', slug: 'guide-12ab' }],
    ['Guide', { kind: 'dm', slug: 'guide-12ab' }],
    ['zoë', { kind: 'dm', slug: 'zoe' }],
    ['dm:guide', { kind: 'dm', slug: 'guide-12ab', roomId: 'dm:guide-12ab' }],
    ['dm:@guide-12ab', { kind: 'dm', slug: 'guide-12ab' }],
    ['dm:Guide', { kind: 'dm', slug: 'guide-12ab' }],
    ['dm:zoe', { kind: 'dm', slug: 'zoe' }],
    ['plain', { kind: 'dm', slug: 'plain', roomId: 'dm:plain' }],
    ['stranger-9f9f', { kind: 'dm', slug: 'stranger-9f9f' }],
  ])('finds %s', (wanted, expected) => {
    expect(findTarget(wanted, world)).toMatchObject({ ok: true, value: expected });
  });

  it('lists the candidates if a name is ambiguous', () => {
    const rooms = findTarget('#general', world);
    expect(rooms).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(JSON.stringify(rooms)).toMatch(/Home\/#general.*Work\/#general/);
    expect(JSON.stringify(findTarget('Sam', world))).toMatch(/twin-0001, sam-0002/);
  });

  it('reports a missing target and suggests the closest name', () => {
    expect(findTarget('draft', world)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(findTarget('Work/#ops', world)).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('"Work/#ops"') as string },
    });
    expect(findTarget('giude', world)).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('"guide"') as string },
    });
    expect(findTarget('dm:giude', world)).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('"guide"') as string },
    });
    expect(findTarget('dm:draft', world)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(findTarget('#opps', world)).toMatchObject({
      error: { message: expect.stringContaining('"#ops"') as string },
    });
    expect(findTarget('entirely different', world)).toMatchObject({
      error: { message: expect.not.stringContaining('mean') as string },
    });
    expect(findTarget('', world)).toMatchObject({ ok: false });
  });
});

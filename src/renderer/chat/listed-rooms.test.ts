import { expect, test } from 'vitest';
import type { Room } from '../../contract/model.ts';
import { listRooms, type RoomItem } from './listed-rooms.ts';

const room = (id: string, change: Partial<Room> = {}): Room => ({
  id,
  kind: id.startsWith('dm:') ? 'dm' : 'channel',
  name: id,
  spaceId: id.startsWith('dm:') ? null : 'sp',
  encrypted: true,
  members: [],
  unread: 0,
  lastMessageAt: null,
  lastText: '',
  ...change,
});
const space = (id: string, archived = false) => ({ id, name: id, role: 'owner', archived });
const agent = (slug: string) => ({ id: slug, slug, name: slug });
const nothing = { spaces: [], rooms: [], agents: [], selected: null, othersOpen: null };
const shape = (items: readonly RoomItem[]): readonly string[] =>
  items.map((item) => (item.kind === 'others' ? `others ${item.count} ${item.open}` : item.key));

test('People and agents with a conversation are direct messages, other agents come below', () => {
  const rooms = [
    room('dm:ada'),
    room('dm:quiet'),
    room('dm:busy', { lastMessageAt: 5 }),
    room('dm:asks', { unread: 1 }),
  ];
  const agents = [agent('quiet'), agent('busy'), agent('asks'), agent('new')];
  expect(shape(listRooms({ ...nothing, rooms, agents }))).toEqual([
    'direct',
    'dm:ada',
    'dm:asks',
    'dm:busy',
    'others 2 true',
    'dm:new',
    'dm:quiet',
  ]);
});

test('The open conversation of an agent is listed before its first message', () => {
  const rooms = [room('dm:quiet')];
  expect(shape(listRooms({ ...nothing, rooms, agents: [agent('quiet')], selected: 'dm:quiet' }))).toEqual([
    'direct',
    'dm:quiet',
  ]);
});

test('The conversations with a person share one row, which an agent gets with its first one', () => {
  const one = room('dm:bot~cv_aaaaaaaa', { unread: 2 });
  const other = room('dm:ada~cv_bbbbbbbb', { lastMessageAt: 9 });
  const rooms = [room('dm:bot'), one, room('dm:ada'), other];
  const items = listRooms({ ...nothing, rooms, agents: [agent('bot')], selected: other.id });
  expect(shape(items)).toEqual(['direct', 'dm:ada', 'dm:bot']);
  expect(items.flatMap((item) => (item.kind === 'room' ? [item.further] : []))).toEqual([[other], [one]]);
});

test('Many agents without a conversation are folded, unless they were opened', () => {
  const agents = Array.from({ length: 6 }, (_, at) => agent(`a${at}`));
  expect(shape(listRooms({ ...nothing, agents }))).toEqual(['others 6 false']);
  expect(shape(listRooms({ ...nothing, agents, selected: 'dm:a3' }))).toEqual(['others 6 false', 'dm:a3']);
  expect(shape(listRooms({ ...nothing, agents, othersOpen: true }))).toHaveLength(7);
  expect(shape(listRooms({ ...nothing, agents: agents.slice(1), othersOpen: false }))).toEqual([
    'others 5 false',
  ]);
});

test('Archived spaces come last, and a space without channels says so', () => {
  const spaces = [space('old', true), space('sp'), space('empty')];
  const rooms = [room('ch_b'), room('ch_a'), room('ch_old', { spaceId: 'old' }), room('dm:ada')];
  expect(shape(listRooms({ ...nothing, spaces, rooms }))).toEqual([
    'space sp',
    'ch_a',
    'ch_b',
    'space empty',
    'none empty',
    'direct',
    'dm:ada',
    'space old',
    'ch_old',
  ]);
});

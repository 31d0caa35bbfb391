import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RoomsView, RoomView } from '../../src/contract/model.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { answerTo, follow, newDemoHome, type newHome, startHost, type TestHost } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let guide: string;
let asked: string;
let answer: string;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
  guide = `dm:${(await kennel.call('agents.get', { agent: 'guide' })).slug}`;
  asked = (await kennel.call('chat.send', { to: 'guide', text: 'hello, my secret is swordfish' })).messageId;
  answer = (await answerTo(kennel, guide, asked)).id;
});
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const hits = async (words: string, agent?: string) => {
  const found = await kennel.call('chat.search', { words, ...(agent === undefined ? {} : { agent }) });
  return found.hits.map(({ id }) => id);
};

function command(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: home.home, KENNEL_HOME: home.home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

it('Reactions and pins appear in the room at once, and again after a restart', async () => {
  const room = follow<RoomView>(kennel.host, `room:${guide}`);
  await kennel.call('chat.react', { message: answer, emoji: '👍' });
  await kennel.call('chat.react', { message: answer, emoji: '\u2764' });
  await kennel.call('chat.pin', { message: asked });
  expect(room.state().annotations[answer]).toMatchObject({
    reactions: ['👍', '\u2764\uFE0F'],
    pinnedAt: null,
  });
  expect(room.state().annotations[asked]?.pinnedAt).toBeGreaterThan(0);
  room.stop();
  await kennel.stop();
  kennel = await startHost(home.home);
  expect((await kennel.call('chat.pins', { room: 'guide' })).messages.map(({ id }) => id)).toEqual([asked]);
  await kennel.call('chat.react', { message: answer, emoji: '👍', on: false });
  const again = follow<RoomView>(kennel.host, `room:${guide}`);
  expect(again.state().annotations[answer]?.reactions).toEqual(['\u2764\uFE0F']);
  again.stop();
  for (const emoji of ['ok', '👍👍', ''])
    expect((await kennel.tryCall('chat.react', { message: answer, emoji })).ok).toBe(false);
  expect(await kennel.tryCall('chat.pin', { message: 'msg_none' })).toMatchObject({
    error: { code: 'not_found' },
  });
});

it('T9: A reaction starts no turn and sends nothing, and an agent may neither react nor delete', async () => {
  const turns = async () => (await kennel.call('work.turns', { agent: 'guide' })).turns.length;
  const before = await turns();
  const { messages } = await kennel.call('chat.history', { room: guide });
  await kennel.call('chat.react', { message: answer, emoji: '🎉' });
  const next = await kennel.call('chat.send', { to: 'guide', text: 'next' });
  await answerTo(kennel, guide, next.messageId);
  expect(await turns()).toBe(before + 1);
  expect((await kennel.call('chat.history', { room: guide })).messages).toHaveLength(messages.length + 2);
  const agent = { kind: 'agent', id: 'guide' } as const;
  for (const [method, input] of [
    ['chat.react', { message: answer, emoji: '👍' }],
    ['chat.pin', { message: answer }],
    ['chat.delete', { message: answer }],
  ] as const)
    expect(await kennel.host.call(agent, method, input)).toMatchObject({ error: { code: 'forbidden' } });
});

it('A deleted message leaves history, search and room list here; the agent keeps its copy', async () => {
  const room = follow<RoomView>(kennel.host, `room:${guide}`);
  const single = (await kennel.call('chat.send', { to: '#general', text: 'swordfish, for all' })).messageId;
  await kennel.call('chat.pin', { message: asked });
  expect(await hits('swordfish')).toEqual([single, asked]);
  await kennel.call('chat.delete', { message: asked });
  expect(await hits('swordfish')).toEqual([single]);
  expect(await hits('swordfish', 'guide')).toContain(asked);
  const kept = room.state().messages.find(({ id }) => id === asked);
  expect(kept).toMatchObject({ text: '', attachments: [] });
  expect(room.state().annotations[asked]).toEqual({ reactions: [], pinnedAt: null, deleted: true });
  await kennel.call('chat.delete', { message: answer });
  const { messages } = await kennel.call('chat.history', { room: guide });
  expect(messages.map(({ id }) => id)).not.toContain(asked);
  const rooms: RoomsView = await kennel.call('chat.rooms', {});
  expect(rooms.rooms[guide]?.lastText).not.toContain('swordfish');
  expect(await kennel.tryCall('chat.delete', { message: asked })).toMatchObject({
    error: { code: 'not_found' },
  });
  room.stop();
});

it('The commands react, pin, list pins and delete', async () => {
  expect(await command('chat', 'react', answer, '👍')).toMatchObject({
    code: 0,
    out: 'The reaction is kept, only on this computer.\n',
  });
  expect((await command('chat', 'pin', asked)).code).toBe(0);
  expect((await command('chat', 'pins', 'guide')).out).toContain('hello, my secret is swordfish');
  const unasked = await command('chat', 'delete', asked);
  expect(unasked).toMatchObject({ code: 2, out: '' });
  expect((await command('chat', 'delete', asked, '--yes')).out).toContain('keeps their copy');
  expect((await command('chat', 'pins', 'guide')).out).toBe('No pinned messages in this room.\n');
});

it('A thread is muted and unmuted by any of its messages', async () => {
  await kennel.call('chat.mute', { room: guide, thread: answer });
  expect(Object.keys((await kennel.call('chat.rooms', {})).mutes)).toEqual([asked]);
  await kennel.call('chat.mute', { room: guide, thread: answer, on: false });
  expect((await kennel.call('chat.rooms', {})).mutes).toEqual({});
});

it('Muted rooms and quiet hours hold after a restart, and by the command line', async () => {
  const muted = await command('chat', 'mute', 'guide', '--for', '8h');
  expect(muted.out).toContain('Mentions of you still count.');
  const before = await kennel.call('chat.rooms', {});
  expect(before.mutes[guide]?.until).toBeGreaterThan(0);
  expect((await command('chat', 'read')).out).toContain('muted');
  expect((await command('config', 'set', 'quiet-hours.mon', '22:00-07:00')).out).toContain(
    'quiet-hours.mon=22:00-07:00',
  );
  expect((await command('config', 'set', 'sounds', 'off')).code).toBe(0);
  expect((await command('config', 'set', 'quiet-hours.mon', 'late')).code).not.toBe(0);
  await kennel.stop();
  kennel = await startHost(home.home);
  const after = await kennel.call('chat.rooms', {});
  expect(after.mutes).toEqual(before.mutes);
  expect((await kennel.call('host.view', {})).notifications).toEqual({
    sounds: false,
    quietApprovals: true,
    quietHours: { mon: '22:00-07:00' },
  });
  expect((await command('chat', 'unmute', 'guide')).code).toBe(0);
  expect((await kennel.call('chat.rooms', {})).mutes).toEqual({});
  expect((await command('chat', 'mute', 'guide', '--for', 'soon')).err).toContain('--for takes a time');
});

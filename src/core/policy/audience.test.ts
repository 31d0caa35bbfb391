import { describe, expect, it, test } from 'vitest';
import {
  canReadRoom,
  carriedBy,
  decideRelease,
  mayKnowAlways,
  readShare,
  revealedBy,
  revealedByRefusal,
  shareText,
} from './audience.ts';
import type { Audience, ShareRule, Source } from './source.ts';

const own: Audience = { roomId: 'ch_home', outsiders: [] };
const stranger: Audience = { roomId: 'dm_mallory', outsiders: ['mallory-1'] };
const dev: Audience = { roomId: 'ch_dev', outsiders: ['bob-1', 'carol-1'] };
const unknown: Audience = { roomId: 'ch_far', outsiders: null };

const readers = new Map<string, readonly string[] | null>([
  ['ch_home', []],
  ['ch_dev', ['bob-1', 'carol-1']],
  ['ch_all', ['bob-1', 'carol-1', 'mallory-1']],
  ['ch_bob', ['bob-1']],
  ['ch_lost', null],
  ['dm_operator', []],
  ['dm_mallory', ['mallory-1']],
]);

describe('T9: release of sources to an audience', () => {
  const share = (roomId: string, ...sources: Source[]): ShareRule => ({ roomId, sources });
  const cases: readonly [
    string,
    Audience,
    readonly Source[],
    readonly ShareRule[],
    tainted: boolean,
    withheld: readonly Source[],
  ][] = [
    ['the operator and their agents may know all', own, ['files', 'notes', 'room:dm_operator'], [], true, []],
    ['a message of the operator may contain anything for anyone', stranger, ['files'], [], false, []],
    ['a stranger may not know the files', stranger, ['files'], [], true, ['files']],
    [
      'a stranger may not know notes, tasks, workflows and settings',
      stranger,
      ['notes', 'tasks', 'workflows', 'settings'],
      [],
      true,
      ['notes', 'tasks', 'workflows', 'settings'],
    ],
    ['a stranger may not know content of unknown origin', stranger, ['unknown'], [], true, ['unknown']],
    [
      'a stranger may not know the operator’s messages',
      stranger,
      ['room:dm_operator'],
      [],
      true,
      ['room:dm_operator'],
    ],
    ['a stranger may know what they wrote themselves', stranger, ['room:dm_mallory'], [], true, []],
    ['a stranger may know the messages of a channel they are in', stranger, ['room:ch_all'], [], true, []],
    ['a channel may know its own messages', dev, ['room:ch_dev'], [], true, []],
    ['a channel may know messages of a channel with all of its members', dev, ['room:ch_all'], [], true, []],
    [
      'a channel may not know messages of a channel with some of its members',
      dev,
      ['room:ch_bob'],
      [],
      true,
      ['room:ch_bob'],
    ],
    [
      'a channel may not know messages of a channel with unknown members',
      dev,
      ['room:ch_lost'],
      [],
      true,
      ['room:ch_lost'],
    ],
    [
      'a channel may not know messages of a room that was never loaded',
      dev,
      ['room:ch_new'],
      [],
      true,
      ['room:ch_new'],
    ],
    [
      'an unknown audience may know only its own room',
      unknown,
      ['room:ch_far', 'room:ch_all'],
      [],
      true,
      ['room:ch_all'],
    ],
    ['a channel may know what is shared with it', dev, ['files'], [share('ch_dev', 'files')], true, []],
    [
      'a share covers its own sources only',
      dev,
      ['files', 'notes'],
      [share('ch_dev', 'files')],
      true,
      ['notes'],
    ],
    ['a share covers its own room only', stranger, ['files'], [share('ch_dev', 'files')], true, ['files']],
    ['a room can be shared, too', dev, ['room:ch_bob'], [share('ch_dev', 'room:ch_bob')], true, []],
    ['each source is named once', stranger, ['files', 'files'], [], true, ['files']],
  ];
  it.each(cases)('withholds the right sources: %s', (_name, audience, sources, shares, tainted, withheld) => {
    expect(decideRelease({ audience, sources, shares, tainted, readers })).toEqual(withheld);
  });
});

test('An audience can read a room if all its members are in the room', () => {
  expect(canReadRoom(dev, 'ch_all', ['bob-1', 'carol-1', 'mallory-1'])).toBe(true);
  expect(canReadRoom(dev, 'ch_bob', ['bob-1'])).toBe(false);
  expect(canReadRoom(unknown, 'ch_all', ['bob-1'])).toBe(false);
  expect(canReadRoom(unknown, 'ch_far', null)).toBe(true);
});

test('Notes are in the prompt only if the whole audience may know them', () => {
  expect(mayKnowAlways(own, 'notes', [])).toBe(true);
  expect(mayKnowAlways(dev, 'notes', [])).toBe(false);
  expect(mayKnowAlways(unknown, 'notes', [])).toBe(false);
  expect(mayKnowAlways(dev, 'notes', [{ roomId: 'ch_dev', sources: ['notes'] }])).toBe(true);
});

test('A tool without declared sources reveals what its group holds', () => {
  expect(revealedBy({ group: 'files' })).toEqual(['files']);
  expect(revealedBy({ group: 'shell' })).toEqual(['files']);
  expect(revealedBy({ group: 'memory' })).toEqual(['notes']);
  expect(revealedBy({ group: 'puffo' })).toEqual(['unknown']);
  expect(revealedBy({ group: 'puffo', reveals: [] })).toEqual([]);
  expect(revealedByRefusal({ group: 'files' })).toEqual(['files']);
  expect(revealedByRefusal({ group: 'puffo', reveals: [], refusalReveals: ['files'] })).toEqual(['files']);
  expect(carriedBy([{ kind: 'send', to: 'ch_dev', sameThread: true }])).toEqual([]);
  expect(carriedBy([{ kind: 'read', path: '/w/a' }])).toEqual(['files']);
});

test('A share rule is parsed from its stored text, and other text is refused', () => {
  const share: ShareRule = { roomId: 'dm|x', sources: ['files', 'room:ch_(a>b)'] };
  expect(readShare(shareText(share))).toEqual(share);
  for (const text of [
    '',
    'write_file(*)',
    '{}',
    '{"room":"r","sources":[]}',
    '{"room":"r","sources":["all"]}',
  ])
    expect(readShare(text), text).toBe(null);
});

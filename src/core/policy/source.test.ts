import { expect, it } from 'vitest';
import { decideRelease } from './audience.ts';
import { roomOfSource, roomSource } from './source.ts';

it('T9: All conversations with a person are one source, so a new one reveals no more than the main one', () => {
  const source = roomSource('dm:ada-0001~cv_0123456789abcdef');
  expect(source).toBe(roomSource('dm:ada-0001'));
  expect(roomOfSource(source)).toBe('dm:ada-0001');
  const facts = {
    tainted: true,
    sources: [source],
    readers: new Map([['dm:ada-0001', ['ada-0001']]]),
    shares: [],
  };
  const bob = { roomId: 'dm:bob-0002', outsiders: ['bob-0002'] };
  expect(decideRelease({ ...facts, audience: bob })).toEqual(['room:dm:ada-0001']);
  const ada = { roomId: 'dm:ada-0001', outsiders: ['ada-0001'] };
  expect(decideRelease({ ...facts, audience: ada })).toEqual([]);
});

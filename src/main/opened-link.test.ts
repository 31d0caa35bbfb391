import { expect, test } from 'vitest';
import { createOpenedLink, inviteLinkIn } from './opened-link.ts';

const code = `lnk-${'a'.repeat(32)}`;
const link = `kennel://join?server=https%3A%2F%2Fchat.example.org#${code}`;

test('T21: An invite link is read from the arguments of a start and built again from its parts', () => {
  expect(inviteLinkIn(['/opt/Kennel/kennel-app', '--hidden', link])).toBe(link);
  expect(inviteLinkIn([`kennel://join/?server=https%3A%2F%2Fchat.example.org%2F&more=1#${code}`])).toBe(link);
});

test.each([
  [],
  ['https://chat.example.org/#invite=x'],
  ['kennel://app/#/settings'],
  ['kennel://app/do/quit-now'],
  [`kennel://join?server=javascript%3Aalert(1)#${code}`],
  [`kennel://join?server=file%3A%2F%2F%2Fetc%2Fpasswd#${code}`],
  [`kennel://join?server=https%3A%2F%2Fchat.example.org%40evil.example#${code}`],
  [`--cli=${link}`],
  [`${link}${'a'.repeat(1_000)}`],
  [`kennel://join?server=https%3A%2F%2F${'a'.repeat(1_000)}#${code}`],
  [link, link],
])('T21: %s opens no dialog', (...argv: string[]) => {
  expect(inviteLinkIn(argv)).toBeNull();
});

test('A link is handed over once; the latest one counts, and an unusable one keeps it', () => {
  const opened = createOpenedLink(['kennel-app', link]);
  expect(opened.waits()).toBe(true);
  expect(opened.open(['kennel-app'])).toBe(false);
  expect(opened.take()).toBe(link);
  expect([opened.take(), opened.waits()]).toEqual(['', false]);
  expect(opened.open([link])).toBe(true);
  expect(opened.take()).toBe(link);
});

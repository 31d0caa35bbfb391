import { describe, expect, it } from 'vitest';
import { inviteLink, isLinkSecret, readInviteLink, readSpaceLink, spaceLink } from './invite-link.ts';

describe('Invite link', () => {
  it('carries server and code there and back, the code in the fragment alone', () => {
    const link = inviteLink({ serverUrl: 'https://chat.example.org/relay/', inviteCode: 'inv-ab c#d' });
    expect(link).toBe('https://chat.example.org/relay/#invite=inv-ab%20c%23d');
    expect(readInviteLink(` ${link}\n`)).toEqual({
      serverUrl: 'https://chat.example.org/relay',
      inviteCode: 'inv-ab c#d',
    });
  });

  it.each([
    '',
    'inv-9f3k',
    'https://chat.example.org',
    'ftp://x/#invite=a',
    'https://x/#invite=',
    'https://x/#invite=%',
  ])('is not "%s"', (text) => expect(readInviteLink(text)).toBeNull());
});

describe('Link into a space', () => {
  const inviteCode = `lnk-${'a2'.repeat(16)}`;

  it('carries server and secret there and back, the secret in the fragment alone', () => {
    const link = spaceLink({ serverUrl: 'https://chat.example.org/relay/', inviteCode });
    expect(link).toBe(`kennel://join?server=https%3A%2F%2Fchat.example.org%2Frelay#${inviteCode}`);
    for (const read of [readSpaceLink, readInviteLink])
      expect(read(` ${link}\n`)).toEqual({ serverUrl: 'https://chat.example.org/relay', inviteCode });
    expect([isLinkSecret(inviteCode), isLinkSecret('inv-9f3k')]).toEqual([true, false]);
  });

  it.each([
    `https://join?server=https%3A%2F%2Fx#${inviteCode}`,
    `kennel://other?server=https%3A%2F%2Fx#${inviteCode}`,
    `kennel://join?server=javascript%3Aalert(1)#${inviteCode}`,
    `kennel://join?server=https%3A%2F%2Fchat.example.org%40evil.example#${inviteCode}`,
    `kennel://join?server=https%3A%2F%2Fx%2F%3Fa#${inviteCode}`,
    'kennel://join?server=https%3A%2F%2Fx#lnk-short',
    'kennel://join?server=https%3A%2F%2Fx',
    `kennel://join#${inviteCode}`,
  ])('is not "%s"', (text) => expect(readSpaceLink(text)).toBeNull());
});

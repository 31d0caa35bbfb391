import { describe, expect, it } from 'vitest';
import { inviteLink, readInviteLink } from './invite-link.ts';

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

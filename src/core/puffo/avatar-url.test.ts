import { describe, expect, it } from 'vitest';
import { absoluteAvatarUrl, avatarBlobId } from './avatar-url.ts';

const server = 'https://chat.example.org/relay';

describe('Avatar URL', () => {
  it.each([
    ['/blobs/b_1-x', 'b_1-x'],
    [`${server}/blobs/b_1-x`, 'b_1-x'],
    ['https://chat.example.org/blobs/b1', null],
    ['https://chat.example.org/relay.evil/blobs/b1', null],
    [`${server}/blobs/../admin`, null],
    [`${server}/blobs/b1?x=1`, null],
    [`${server}/blobs/b1\n`, null],
    [`${server}//blobs/b1`, null],
    ['https://evil.example/blobs/b1', null],
    ['', null],
  ])('%j refers to blob %j of its server', (address, blobId) => {
    expect(avatarBlobId(address, server)).toBe(blobId);
    expect(avatarBlobId(address, `${server}/`)).toBe(blobId);
  });

  it('is published as an absolute address on the server', () => {
    expect(absoluteAvatarUrl('/blobs/b1', `${server}/`)).toBe(`${server}/blobs/b1`);
    expect(absoluteAvatarUrl(`${server}/blobs/b1`, server)).toBe(`${server}/blobs/b1`);
    expect(absoluteAvatarUrl('https://pictures.example/me.png', server)).toBe(
      'https://pictures.example/me.png',
    );
  });
});

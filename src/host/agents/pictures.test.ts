import { describe, expect, it } from 'vitest';
import { pictureType } from './pictures.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('the type of a picture', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0....', 'image/jpeg'],
    ['GIF89a......', 'image/gif'],
    ['RIFF\x10\x00\x00\x00WEBPVP8', 'image/webp'],
  ])('comes from its first bytes: %j', (text, type) => {
    expect(pictureType(bytes(text))).toBe(type);
  });

  it.each(['<svg xmlns="http://www.w3.org/2000/svg">', '<html>', 'RIFF\x10\x00\x00\x00WAVE', '', 'PNG'])(
    'is none for %j',
    (text) => {
      expect(pictureType(bytes(text))).toBeNull();
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { imageFacts, imageType } from './image-facts.ts';

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');
const padded = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, Buffer.alloc(64)]);

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('Image type', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0....', 'image/jpeg'],
    ['GIF89a......', 'image/gif'],
    ['RIFF\x10\x00\x00\x00WEBPVP8', 'image/webp'],
  ])('is detected from the first bytes: %j', (text, type) => {
    expect(imageType(latin1(text))).toBe(type);
  });

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<html>',
    'RIFF\x10\x00\x00\x00WAVE',
    '',
    'PNG',
    '\xff\xd8',
  ])('is null for %j', (text) => {
    expect(imageType(latin1(text))).toBeNull();
  });
});

test('Image facts read the size from GIF and WebP headers', () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), hex('2003 5802')]);
  expect(imageFacts(padded(gif))).toMatchObject({ mimeType: 'image/gif', width: 800, height: 600 });
  const riff = (kind: string, rest: string) =>
    padded(Buffer.concat([Buffer.from('RIFF'), hex('00000000'), Buffer.from(`WEBP${kind}`), hex(rest)]));
  const webp = { mimeType: 'image/webp', width: 800, height: 600 };
  expect(imageFacts(riff('VP8X', '0a000000 00000000 1f0300 570200'))).toMatchObject(webp);
  expect(imageFacts(riff('VP8 ', '00000000 000000 9d012a 2003 5802'))).toMatchObject(webp);
  expect(imageFacts(riff('VP8L', '00000000 2f 1fc39500'))).toMatchObject(webp);
});

test('Image facts read the EXIF orientation', () => {
  const exif = (order: string, rest: string) =>
    hex(`ffd8 ffe1 0022 457869660000 ${order} ${rest} ffc0 0011 08 0258 0320`);
  const little = exif('49492a00 08000000', '0100 1201 0300 01000000 06000000 00000000');
  const big = exif('4d4d002a 00000008', '0001 0112 0003 00000001 00080000 00000000');
  expect(imageFacts(padded(little))).toEqual({
    mimeType: 'image/jpeg',
    width: 800,
    height: 600,
    orientation: 6,
  });
  expect(imageFacts(padded(big))?.orientation).toBe(8);
});

test('Image facts read every kind of JPEG frame, also after fill bytes', () => {
  const jfif = 'ffd8 ffe0 0010 4a46494600010100000100010000';
  for (const marker of ['ffc0', 'ffc2', 'ffc3', 'ffc9', 'ffffffc0'])
    expect(imageFacts(padded(hex(`${jfif} ${marker} 0011 08 0258 0320`)))).toMatchObject({
      width: 800,
      height: 600,
    });
});

test('An image without a size has no facts', () => {
  expect(imageFacts(padded(hex('89504e470d0a1a0a 0000000d 49484452 00000000 00000000')))).toBeNull();
});

test('T24: a truncated JPEG has no facts', () => {
  const whole = hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 0258 0320 0000');
  for (let end = 0; end < 30; end += 1) expect(imageFacts(whole.subarray(0, end))).toBeNull();
  expect(imageFacts(hex(`ffd8 ffe0 ffff ${'00'.repeat(64)}`))).toBeNull();
});

test('T24: image facts survive arbitrary bytes after a valid header', () => {
  const heads = fc.constantFrom(
    'ffd8ffe1',
    'ffd8ffc0',
    '89504e470d0a1a0a',
    '474946383961',
    '52494646000000005745425056503858',
  );
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      const facts = imageFacts(Buffer.concat([hex(head), rest]));
      if (facts) expect(Math.min(facts.width, facts.height)).toBeGreaterThan(0);
    }),
    { numRuns: 3_000 },
  );
});

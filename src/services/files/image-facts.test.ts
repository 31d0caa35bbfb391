import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageFacts } from './image-facts.ts';

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');
const padded = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, Buffer.alloc(64)]);

test('reads sizes out of heads', () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), hex('2003 5802')]);
  expect(imageFacts(padded(gif))).toMatchObject({ mimeType: 'image/gif', width: 800, height: 600 });
  const riff = (kind: string, rest: string) =>
    padded(Buffer.concat([Buffer.from('RIFF'), hex('00000000'), Buffer.from(`WEBP${kind}`), hex(rest)]));
  const webp = { mimeType: 'image/webp', width: 800, height: 600 };
  expect(imageFacts(riff('VP8X', '0a000000 00000000 1f0300 570200'))).toMatchObject(webp);
  expect(imageFacts(riff('VP8 ', '00000000 000000 9d012a 2003 5802'))).toMatchObject(webp);
  expect(imageFacts(riff('VP8L', '00000000 2f 1fc39500'))).toMatchObject(webp);
});

test('reads how a photograph is to be turned', () => {
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

test('T24: survives anything', () => {
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

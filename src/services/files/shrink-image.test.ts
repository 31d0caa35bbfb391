import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { imageFacts } from '../../contract/image-facts.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createImageShrinker } from './shrink-image.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) {
    c ^= byte;
    for (let n = 0; n < 8; n += 1) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return (c ^ 0xffffffff) >>> 0;
}

/** Greyscale; left half black, right half white. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const row = Buffer.alloc(width + 1);
  row.fill(255, 1 + width / 2);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const marks = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([marks, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const shrinker = createImageShrinker(createSystemClock());

test('A scaled image keeps its aspect ratio and type', async () => {
  const large = png(4_000, 1_000);
  const facts = imageFacts(large);
  expect(facts).toEqual({ mimeType: 'image/png', width: 4_000, height: 1_000, orientation: 1 });
  if (!facts) throw new Error('no facts');
  const small = await shrinker.shrink(large, facts, 1_568);
  expect(small.ok && imageFacts(small.value)).toEqual({ ...facts, width: 1_568, height: 392 });
  const jpeg = await shrinker.shrink(large, { ...facts, mimeType: 'image/jpeg' }, 100);
  expect(jpeg.ok && imageFacts(jpeg.value)).toEqual({
    ...facts,
    mimeType: 'image/jpeg',
    width: 100,
    height: 25,
  });
  const turned = await shrinker.shrink(large, { ...facts, orientation: 6 }, 100);
  expect(turned.ok && imageFacts(turned.value)).toMatchObject({ width: 25, height: 100 });
});

test('An invalid image is reported and does not block the next one', async () => {
  const facts = { mimeType: 'image/png', width: 10, height: 10, orientation: 1 } as const;
  const broken = shrinker.shrink(new Uint8Array(100), facts, 5);
  const good = shrinker.shrink(png(10, 10), facts, 5);
  expect(await broken).toMatchObject({ ok: false });
  expect(await good).toMatchObject({ ok: true });
});

test('T24: An image that needs more than half of the free memory is not decoded', async () => {
  const picture = png(1_000, 500);
  const facts = { mimeType: 'image/png', width: 1_000, height: 500, orientation: 1 } as const;
  let left = 15_000_000;
  const careful = createImageShrinker(createSystemClock(), () => left);
  expect(await careful.shrink(picture, facts, 100)).toMatchObject({ error: { code: 'unavailable' } });
  left = 17_000_000;
  expect(await careful.shrink(picture, facts, 100)).toMatchObject({ ok: true });
});

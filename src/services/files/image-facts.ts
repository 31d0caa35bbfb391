/** Reads the header of an image without decoding it: type, size in pixels and orientation. */

export interface ImageFacts {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

type Size = readonly [width: number, height: number];

function webpSize(bytes: Uint8Array, view: DataView): Size | null {
  if (bytes.length < 30) return null;
  const u24 = (at: number): number => view.getUint16(at, true) | ((bytes[at + 2] ?? 0) << 16);
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return [u24(24) + 1, u24(27) + 1];
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8 ':
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    default:
      return null;
  }
}

/** The orientation in the `Exif` segment at `at`. */
function exifOrientation(bytes: Uint8Array, at: number, end: number): number {
  if (ascii(bytes, at, 6) !== 'Exif\0\0' || end - at < 16) return 1;
  const tiff = viewOf(bytes.subarray(at + 6, end));
  const little = tiff.getUint16(0) === 0x4949;
  const directory = tiff.getUint32(4, little);
  if (directory + 2 > tiff.byteLength) return 1;
  const count = tiff.getUint16(directory, little);
  for (let n = 0; n < count; n += 1) {
    const entry = directory + 2 + n * 12;
    if (entry + 12 > tiff.byteLength) return 1;
    if (tiff.getUint16(entry, little) !== 0x0112) continue;
    const value = tiff.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** A start-of-frame marker of any kind. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegFacts(bytes: Uint8Array, view: DataView): ImageFacts | null {
  let orientation = 1;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const length = view.getUint16(at + 2);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { mimeType: 'image/jpeg', width, height, orientation };
    } else if (length < 2) return null;
    else {
      const end = Math.min(at + 2 + length, bytes.length);
      if (marker === 0xe1 && orientation === 1) orientation = exifOrientation(bytes, at + 4, end);
      at = end;
    }
  }
  return null;
}

/** `null` if the image type is unknown or the header is invalid. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 24) return null;
  const view = viewOf(bytes);
  const of = (mimeType: ImageFacts['mimeType'], size: Size | null): ImageFacts | null =>
    size && size[0] > 0 && size[1] > 0 ? { mimeType, width: size[0], height: size[1], orientation: 1 } : null;
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n')
    return of('image/png', [view.getUint32(16), view.getUint32(20)]);
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6)))
    return of('image/gif', [view.getUint16(6, true), view.getUint16(8, true)]);
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP')
    return of('image/webp', webpSize(bytes, view));
  if (view.getUint16(0) !== 0xffd8) return null;
  const facts = jpegFacts(bytes, view);
  return facts && facts.width > 0 && facts.height > 0 ? facts : null;
}

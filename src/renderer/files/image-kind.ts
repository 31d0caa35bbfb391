/** Decides which pictures are shown: four formats, detected by their first bytes, within size limits. */

/** Limit of the file in bytes, and of the decoded picture in pixels (below). */
export const maxPictureBytes = 4 * 1024 * 1024;
const maxPoints = 40_000_000;

export type ImageKind = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

const text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Returns `null` for every other format, including SVG, regardless of the file name. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'image/webp';
  const gif = text(bytes, 0, 6);
  return gif === 'GIF87a' || gif === 'GIF89a' ? 'image/gif' : null;
}

type Size = readonly [number, number];

function jpegSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    // Fill bytes before a marker have no length field.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(bytes: Uint8Array, view: DataView): Size | null {
  if (bytes.length < 30) return null;
  const three = (at: number): number => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16);
  switch (text(bytes, 12, 16)) {
    case 'VP8X':
      return [three(24) + 1, three(27) + 1];
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1];
    }
    case 'VP8 ':
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    default:
      return null;
  }
}

/** Reads width and height from the header, before the picture is decoded. */
function imageSize(bytes: Uint8Array, kind: ImageKind): Size | null {
  if (bytes.length < 24) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === 'image/png') return [view.getUint32(16), view.getUint32(20)];
  if (kind === 'image/gif') return [view.getUint16(6, true), view.getUint16(8, true)];
  return kind === 'image/jpeg' ? jpegSize(bytes) : webpSize(bytes, view);
}

/**
 * Returns the format of a picture that is safe to decode, or `null` if it is unknown, too large or without a
 * size.
 */
export function showableKind(bytes: Uint8Array): ImageKind | null {
  const kind = bytes.length > maxPictureBytes ? null : imageKind(bytes);
  const size = kind === null ? null : imageSize(bytes, kind);
  return size === null || size[0] * size[1] > maxPoints ? null : kind;
}

/** Checks only the name and the size; `showableKind` checks the content. */
export const looksLikePicture = (file: { readonly filename: string; readonly size: number }): boolean =>
  /\.(png|jpe?g|webp|gif)$/i.test(file.filename) && file.size > 0 && file.size <= maxPictureBytes;

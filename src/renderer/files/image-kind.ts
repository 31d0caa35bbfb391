/** Decides which pictures are shown: four formats, detected by their first bytes, within size limits. */
import { type ImageType, imageFacts } from '../../contract/image-facts.ts';

/** Limit of the file in bytes, and of the decoded picture in pixels (below). */
export const maxPictureBytes = 4 * 1024 * 1024;
const maxPoints = 40_000_000;

/**
 * Returns the format of a picture that is safe to decode, or `null` if it is unknown, too large or without a
 * size.
 */
export function showableType(bytes: Uint8Array): ImageType | null {
  const facts = bytes.length > maxPictureBytes ? null : imageFacts(bytes);
  return facts === null || facts.width * facts.height > maxPoints ? null : facts.mimeType;
}

/** Checks only the name and the size; `showableKind` checks the content. */
export const looksLikePicture = (file: { readonly filename: string; readonly size: number }): boolean =>
  /\.(png|jpe?g|webp|gif)$/i.test(file.filename) && file.size > 0 && file.size <= maxPictureBytes;

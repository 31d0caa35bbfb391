/** Decodes a picture and draws it again: the page shows pixels, never the untrusted file. */
import { maxPictureBytes, showableType } from './image-kind.ts';

export interface Drawn {
  /** `data:` URL of the redrawn PNG. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Scales down to `longest` pixels per side; returns `null` if the file is not a picture that may be shown.
 */
export async function drawPicture(bytes: Uint8Array<ArrayBuffer>, longest: number): Promise<Drawn | null> {
  const kind = showableType(bytes);
  if (kind === null) return null;
  const image = await createImageBitmap(new Blob([bytes], { type: kind })).catch(() => null);
  if (image === null) return null;
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return { url: canvas.toDataURL('image/png'), width: canvas.width, height: canvas.height };
}

const thumbSide = 96;

/** Returns an empty string if the file is not a picture that may be shown. */
export async function thumbOf(file: Blob): Promise<string> {
  if (file.size > maxPictureBytes) return '';
  const bytes = await file.arrayBuffer().catch(() => null);
  const drawn = bytes === null ? null : await drawPicture(new Uint8Array(bytes), thumbSide);
  return drawn?.url ?? '';
}

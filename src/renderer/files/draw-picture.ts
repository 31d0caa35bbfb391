/** Unpacks a picture and draws it anew: what is shown are points, never the file of a stranger. */
import { maxPictureBytes, showableKind } from './image-kind.ts';

export interface Drawn {
  /** A data: address of a PNG that was drawn here. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** At most `longest` points on either side; null for what is no picture that is shown. */
export async function drawPicture(bytes: Uint8Array<ArrayBuffer>, longest: number): Promise<Drawn | null> {
  const kind = showableKind(bytes);
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

/** Empty for what is no picture that is shown. */
export async function thumbOf(file: Blob): Promise<string> {
  if (file.size > maxPictureBytes) return '';
  const bytes = await file.arrayBuffer().catch(() => null);
  const drawn = bytes === null ? null : await drawPicture(new Uint8Array(bytes), thumbSide);
  return drawn?.url ?? '';
}

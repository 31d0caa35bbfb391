/** Makes any picture the browser can read a small square PNG, so that nobody needs to know about sizes and formats. */

const side = 256;

/** Base64 of the PNG; null for a file that is no picture. The middle of it is kept. */
export async function shrinkPicture(file: Blob): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null);
  if (image === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const cut = Math.min(image.width, image.height);
  const [x, y] = [(image.width - cut) / 2, (image.height - cut) / 2];
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, x, y, cut, cut, 0, 0, side, side);
  image.close();
  return canvas.toDataURL('image/png').split(',')[1] ?? null;
}

/** Converts any image that the browser can decode into a small square PNG. */

const side = 256;

/** Crops the centre and returns the PNG in base64, or `null` if the file cannot be decoded. */
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

/**
 * Packs PNG images into the icon files of Windows (ICO) and macOS (ICNS); both may contain PNG data
 * unchanged.
 */

/** `pictures`: [{size, png}], size at most 256. */
export function icoFile(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at); // 256 is written as 0
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** Type codes by pixel size; the second code of a size is the Retina form with half the points. */
const icnsTypes = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

export function icnsFile(pictures) {
  const chunks = pictures.flatMap(({ size, png }) =>
    (icnsTypes[size] ?? []).map((type) => {
      const head = Buffer.alloc(8);
      head.write(type, 0, 'ascii');
      head.writeUInt32BE(png.length + 8, 4);
      return Buffer.concat([head, png]);
    }),
  );
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(8);
  head.write('icns', 0, 'ascii');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

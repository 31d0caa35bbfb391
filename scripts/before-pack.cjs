/**
 * Hook of electron-builder: compresses the image library, a tenth of the package otherwise, into .cache, from
 * where electron-builder.yml takes it.
 */
const { copyFile, mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const { brotliCompress, constants } = require('node:zlib');

const compress = promisify(brotliCompress);
const root = path.join(__dirname, '..');
const library = path.dirname(require.resolve('@silvia-odwyer/photon-node/package.json'));
const target = path.join(root, '.cache/image-library');
/** 4 s for the smallest result. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };

exports.default = async () => {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await copyFile(path.join(library, 'package.json'), path.join(target, 'package.json'));
  for (const name of ['photon_rs.js', 'photon_rs_bg.wasm'])
    await writeFile(
      path.join(target, `${name}.br`),
      await compress(await readFile(path.join(library, name)), { params }),
    );
};

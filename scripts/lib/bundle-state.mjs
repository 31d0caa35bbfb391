/** Finds stale bundles. Only reads files, so `npm start` can call it before anything is loaded. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';

const shared = [
  'package.json',
  'package-lock.json',
  'scripts/bundles.ts',
  ...['start-chunks', 'page-chunks', 'module-graph', 'plain-builtins'].map(
    (name) => `scripts/lib/${name}.ts`,
  ),
];
const hostSide = ['src/contract', 'src/core', 'src/services', 'src/host', 'src/relay', 'src/library'];

const bundles = {
  cli: { folders: [...hostSide, 'src/cli'], output: 'cli/kennel.js' },
  main: { folders: [...hostSide, 'src/cli', 'src/main'], output: 'main/index.js' },
  library: {
    folders: ['src/contract', 'src/core', 'src/services/clock', 'src/services/models', 'src/library'],
    output: 'library/index.js',
  },
  preload: { folders: ['src/contract', 'src/preload'], output: 'preload/index.cjs' },
  renderer: { folders: ['src/contract', 'src/language', 'src/renderer'], output: 'renderer/index.html' },
};

export const bundleNames = Object.keys(bundles);
export const outputFolder = (flavour) => inRoot(flavour === 'e2e' ? 'dist-e2e' : 'dist');

const stampFile = (name, flavour) => path.join(outputFolder(flavour), '.stamps', name);
export const bundleHash = (name) => hashOf(bundles[name].folders, shared);

const listFile = (name, flavour) => `${stampFile(name, flavour)}.files`;

/** Files of the last build of the bundle, relative to its folder; `null` if that build saved no list. */
export function builtFiles(name, flavour) {
  const list = readStamp(listFile(name, flavour));
  return list === '' ? null : list.split('\n');
}

export function isStale(name, flavour, hash = bundleHash(name)) {
  if (!existsSync(path.join(outputFolder(flavour), bundles[name].output))) return true;
  return readStamp(stampFile(name, flavour)) !== hash;
}

/** Bundles that Kennel itself needs: the library is for other programs, and the test build has none. */
export const ownBundles = bundleNames.filter((name) => name !== 'library');
export const staleBundles = (flavour) => ownBundles.filter((name) => isStale(name, flavour));

/** `files`: those of this build, without the chunks kept from earlier ones. */
export function markFresh(name, flavour, hash, files) {
  writeStamp(listFile(name, flavour), files.join('\n'));
  writeStamp(stampFile(name, flavour), hash);
}

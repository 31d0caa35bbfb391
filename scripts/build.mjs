/**
 * Builds stale bundles: `npm run build -- [--e2e] [--force] [--clean] [cli main library preload renderer]`.
 * Each bundle is built beside its folder and moved in as a whole, so a running Kennel never sees half of one.
 * `--clean` removes chunks of earlier builds.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  builtFiles,
  bundleHash,
  bundleNames,
  isStale,
  markFresh,
  outputFolder,
  ownBundles,
} from './lib/bundle-state.mjs';
import { inRoot, projectEnv, projectNode } from './lib/project.mjs';

const args = process.argv.slice(2);
const flavour = args.includes('--e2e') ? 'e2e' : 'product';
const named = args.filter((arg) => !arg.startsWith('--'));

const keepDays = 3;

/**
 * Chunks are loaded on demand, by names with a hash. A Kennel that runs from the previous build still
 * requests its own, so they are kept for some days.
 */
function keepParts(from, to) {
  for (const folder of ['chunks', 'assets']) {
    const before = path.join(from, folder);
    if (!existsSync(before)) continue;
    mkdirSync(path.join(to, folder), { recursive: true });
    for (const name of readdirSync(before)) {
      const [source, target] = [path.join(before, name), path.join(to, folder, name)];
      const recent = Date.now() - statSync(source).mtimeMs < keepDays * 86_400_000;
      if (recent && !existsSync(target)) linkSync(source, target);
    }
  }
}

function moveIn(from, to) {
  const old = `${to}.old-${process.pid}`;
  if (existsSync(to)) {
    if (!args.includes('--clean')) keepParts(to, from);
    renameSync(to, old);
  }
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** A package contains only files of this build; without their list the bundle is built again. */
function dropOlderParts(name) {
  const files = builtFiles(name, flavour);
  if (files === null) return false;
  const place = path.join(outputFolder(flavour), name);
  const current = new Set(files);
  for (const file of filesOf(place)) if (!current.has(file)) rmSync(path.join(place, file));
  return true;
}

/** These bundles are the same in both flavours: copies a fresh one of the product. */
function copyOfProduct(name, next) {
  if (flavour !== 'e2e' || !['preload', 'renderer'].includes(name) || isStale(name, 'product')) return false;
  const files = builtFiles(name, 'product');
  if (files === null) return false;
  for (const file of files) {
    mkdirSync(path.dirname(path.join(next, file)), { recursive: true });
    copyFileSync(path.join(outputFolder('product'), name, file), path.join(next, file));
  }
  return true;
}

/** Loads the compiler only when it is needed. */
const declareTypes = async (outDir) => (await import('./library-types.ts')).writeLibraryTypes(outDir);

async function buildOne(name, tools) {
  const started = Date.now();
  const hash = bundleHash(name);
  const place = path.join(outputFolder(flavour), name);
  const next = `${place}.next-${process.pid}`;
  let files = [];
  try {
    if (!copyOfProduct(name, next))
      for (const part of tools.bundles.bundleParts(name, flavour, next)) await tools.vite.build(part);
    if (name === 'library') await declareTypes(path.join(next, 'types'));
    files = filesOf(next);
    moveIn(next, place);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  // `bin` in package.json points to these files, and some users run them by path.
  if (name === 'cli') for (const bin of ['kennel.js', 'puppy.js']) chmodSync(path.join(place, bin), 0o755);
  markFresh(name, flavour, hash, files);
  console.log(`built ${path.relative(inRoot(), place)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Lets `electron dist-e2e` start the test build; the project's own package.json starts the product. */
function writeManifest() {
  if (flavour !== 'e2e') return;
  const folder = outputFolder(flavour);
  mkdirSync(folder, { recursive: true });
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const manifest = { name: 'kennel', productName: 'Kennel', version, type: 'module', main: 'main/index.js' };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // Kennel looks for its resources beside that file.
  cpSync(inRoot('resources/workflows'), path.join(folder, 'resources/workflows'), { recursive: true });
}

async function main() {
  const wrong = named.find((name) => !bundleNames.includes(name));
  if (wrong) throw new Error(`no bundle '${wrong}'; there are: ${bundleNames.join(', ')}`);
  const wanted = named.length > 0 ? named : flavour === 'e2e' ? ownBundles : bundleNames;
  const todo = wanted.filter(
    (name) =>
      args.includes('--force') ||
      isStale(name, flavour) ||
      (args.includes('--clean') && !dropOlderParts(name)),
  );
  if (todo.length === 0) return;
  writeManifest();
  const tools = { vite: await import('vite'), bundles: await import('./bundles.ts') };
  for (const name of todo) await buildOne(name, tools);
}

const major = Number(process.versions.node.split('.')[0]);
const better = projectNode();
if (major < 24 && better) {
  const again = spawnSync(better, [fileURLToPath(import.meta.url), ...args], {
    stdio: 'inherit',
    env: projectEnv(),
  });
  process.exitCode = again.status ?? 1;
} else {
  await main().catch((error) => {
    console.error(`The build stopped: ${error.message ?? error}`);
    process.exitCode = 1;
  });
}

/**
 * Licences of third-party packages, read from node_modules: every package that the sources import, and its
 * dependencies. A plugin provides the list to the page as `virtual:licences`; nothing is downloaded.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const importOf = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)'([^'.][^']*)'/gm;
/** Supplied by the runtime, which has its own licence files beside the app. */
const runtime = ['electron', 'virtual:licences'];

/** Type packages are not part of the output. */
const typesOnly = `node_modules${path.sep}@types`;

/** Maps `@scope/name/part` and `name/part` to the package name. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|config)\.ts$/.test(entry.name),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function imported(root: string): string[] {
  const found = new Set<string>();
  for (const file of sources(path.join(root, 'src')))
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(importOf))
      if (!isBuiltin(specifier) && !runtime.includes(specifier)) found.add(packageOf(specifier));
  return [...found];
}

/** Node's lookup: the nearest `node_modules` above; `null` if the package is not installed on this system. */
function placeOf(name: string, from: string): string | null {
  for (let at = from; ; at = path.dirname(at)) {
    const place = path.join(at, 'node_modules', name);
    if (existsSync(path.join(place, 'package.json'))) return place;
    if (at === path.dirname(at)) return null;
  }
}

const licenceOf = ({ license, licenses }: Manifest): string => {
  if (typeof license === 'string') return license;
  const named = [license, ...(licenses ?? [])].map((one) => one?.type ?? '').filter(Boolean);
  return named.join(' OR ') || 'not named';
};

function textOf(place: string): string {
  const names = readdirSync(place).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const files = names.sort().map((name) => path.join(place, name));
  return files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
}

/** Sorted by name; each version once. */
export function thirdParty(root: string): readonly Licence[] {
  const seen = new Map<string, Licence>();
  const own: Manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const direct = [...imported(root), ...Object.keys(own.dependencies ?? {})];
  const todo = direct.map((name) => placeOf(name, root));
  for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
    if (place === null || seen.has(place) || place.includes(typesOnly)) continue;
    const manifest: Manifest = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
    const { name = path.basename(place), version = '' } = manifest;
    seen.set(place, { name, version, licence: licenceOf(manifest), text: textOf(place) });
    const needs = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const need of Object.keys(needs)) todo.push(placeOf(need, place));
  }
  const once = new Map([...seen.values()].map((one) => [`${one.name} ${one.version}`, one]));
  return [...once.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const id = 'virtual:licences';

/** Lists each licence text once, because many packages share one; compressed to an eighth of its size. */
function moduleOf(root: string): string {
  const all = thirdParty(root);
  const texts = [...new Set(all.map(({ text }) => text))];
  const rows = all.map(({ text, ...one }) => ({ ...one, text: texts.indexOf(text) }));
  const packed = gzipSync(JSON.stringify({ texts, rows }), { level: 9 }).toString('base64');
  return `const packed = Uint8Array.from(atob('${packed}'), (char) => char.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
const { texts, rows } = await new Response(unpacked).json();
export const licences = rows.map((one) => ({ ...one, text: texts[one.text] }));`;
}

export const licences = (root: string): Plugin => ({
  name: 'kennel-licences',
  resolveId: (wanted) => (wanted === id ? `\0${id}` : null),
  load: (wanted) => (wanted === `\0${id}` ? moduleOf(root) : null),
});

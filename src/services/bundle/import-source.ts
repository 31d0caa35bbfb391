/**
 * Opens an import source: an encrypted bundle, a zip archive, one agent's folder, a whole puffo-agent home,
 * or a key store. It writes nothing and unpacks nothing to disk.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Result } from '../../contract/result.ts';
import { isAgentId } from '../../core/agents/agent-config.ts';
import { say } from '../../language/say.ts';
import { asResult, BundleFault, bundleFault } from './bundle-fault.ts';
import { type ByteSource, bufferSource, fileSource } from './byte-source.ts';
import { type FoundFile, fileChunks, listTree } from './folder-files.ts';
import { isSealed, maxBundleBytes, unseal } from './sealed-bundle.ts';
import { readDirectory, type ZipEntry } from './zip-directory.ts';
import { entryContent } from './zip-entry.ts';

export type SourceKind = 'bundle' | 'zip' | 'folder' | 'home' | 'keys';

export interface SourceFile {
  /** Relative to the agent, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export interface SourceAgent {
  readonly id: string;
  readonly files: readonly SourceFile[];
  /** Links and special files, which are not imported. */
  readonly left: readonly string[];
}

export interface ImportSource {
  readonly kind: SourceKind;
  readonly agents: readonly SourceAgent[];
  /** Key files of a store, and settings of a home. */
  readonly loose: readonly SourceFile[];
  /** Changes with the content, so that the import equals what was shown. */
  readonly digest: string;
  close(): void;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

const digestOf = (kind: string, files: readonly FoundFile[]): string =>
  sha256(kind, ...files.map(({ path, size, changedAt }) => `\0${path}\0${size}\0${changedAt}`));

const noAgent = () => bundleFault(say('moving.noAgentInside'));

/** Reads `agents/<id>/…` of bundles and `<id>/…` of older exports. */
function agentsIn(entries: readonly ZipEntry[], source: ByteSource): readonly SourceAgent[] {
  const agents = new Map<string, SourceFile[]>();
  for (const entry of entries) {
    const [, id, path] = /^(?:agents\/)?([^/]+)\/(.+)$/.exec(entry.name) ?? [];
    if (id === undefined || path === undefined) continue;
    const files = agents.get(id) ?? [];
    files.push({ path, size: entry.size, chunks: () => entryContent(source, entry) });
    agents.set(id, files);
  }
  const found = [...agents].filter(([, files]) => files.some(({ path }) => path === 'agent.yml'));
  if (found.length === 0) throw noAgent();
  const bad = found.find(([id]) => !isAgentId(id));
  if (bad) throw bundleFault(say('moving.invalidAgentId'), JSON.stringify(bad[0]));
  return found.map(([id, files]) => ({ id, files, left: [] }));
}

function zipSource(kind: 'bundle' | 'zip', source: ByteSource, digest: string): ImportSource {
  const agents = agentsIn(readDirectory(source), source);
  return { kind, agents, loose: [], digest, close: () => source.close() };
}

/** Decrypts in memory, so that no decrypted key is ever on disk. */
async function openSealed(bytes: Buffer, passphrase: string | undefined): Promise<ImportSource> {
  if (passphrase === undefined) {
    throw new BundleFault('locked', say('moving.bundleEncrypted'), {
      hint: say('moving.givePassphrase'),
    });
  }
  return zipSource('bundle', bufferSource(await unseal(bytes, passphrase)), sha256(bytes));
}

function readSealed(source: ByteSource): Buffer | null {
  if (!isSealed(source.read(0, Math.min(16, source.size)))) return null;
  if (source.size > maxBundleBytes) {
    throw new BundleFault('too_large', say('moving.bundleTooLarge'));
  }
  return source.read(0, source.size);
}

async function openFile(path: string, passphrase: string | undefined): Promise<ImportSource> {
  const source = fileSource(path);
  let kept = false;
  try {
    const sealed = readSealed(source);
    if (sealed) return await openSealed(sealed, passphrase);
    const opened = zipSource('zip', source, await fileDigest(path));
    kept = true;
    return opened;
  } finally {
    if (!kept) source.close();
  }
}

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of fileChunks(path)) hash.update(piece);
  return hash.digest('hex');
}

const looseFile = (folder: string, name: string): FoundFile[] => {
  const full = join(folder, name);
  const found = statSync(full, { throwIfNoEntry: false });
  if (!found?.isFile()) return [];
  return [{ path: name, size: found.size, changedAt: found.mtimeMs, chunks: () => fileChunks(full) }];
};

function folderSource(
  kind: 'folder' | 'home',
  folders: readonly (readonly [string, string])[],
  loose: readonly FoundFile[],
): ImportSource {
  const trees = folders.map(([id, folder]) => [id, listTree(folder)] as const);
  const digest = digestOf(kind, [...trees.flatMap(([, { files }]) => files), ...loose]);
  const agents = trees.map(([id, { files, left }]) => ({ id, files, left }));
  return { kind, agents, loose, digest, close: () => undefined };
}

const subFolders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && isAgentId(entry.name) && existsSync(join(path, entry.name, 'agent.yml')),
    )
    .map(({ name }) => name)
    .sort();

/** The agent's id from agent.yml, else from its folder name. */
function idOf(folder: string): string {
  const [, id = ''] = /^id: *['"]?([\w-]+)/m.exec(readFileSync(join(folder, 'agent.yml'), 'utf8')) ?? [];
  if (isAgentId(id)) return id;
  const name = basename(folder);
  return isAgentId(name) ? name : 'agent';
}

const keyName = /^(?!pending-|registered-agents)[\w.@-]+(?<![.]session)[.]json$/;

function openFolder(path: string): ImportSource {
  if (existsSync(join(path, 'agent.yml'))) return folderSource('folder', [[idOf(path), path]], []);
  const settings = ['daemon.yml'].flatMap((name) => looseFile(path, name));
  const inHome = existsSync(join(path, 'agents')) ? subFolders(join(path, 'agents')) : [];
  if (inHome.length > 0 || settings.length > 0) {
    return folderSource(
      'home',
      inHome.map((id) => [id, join(path, 'agents', id)]),
      settings,
    );
  }
  const inside = subFolders(path);
  if (inside.length > 0)
    return folderSource(
      'folder',
      inside.map((id) => [id, join(path, id)]),
      [],
    );
  const keys = readdirSync(path)
    .filter((name) => keyName.test(name))
    .sort()
    .flatMap((name) => looseFile(path, name));
  if (keys.length === 0) throw noAgent();
  return { kind: 'keys', agents: [], loose: keys, digest: digestOf('keys', keys), close: () => undefined };
}

/**
 * Errors: `not_found`, `invalid_input`, `locked` (a bundle without a passphrase), `unauthenticated`,
 * `too_large`.
 */
export function openSource(path: string, passphrase: string | undefined): Promise<Result<ImportSource>> {
  return asResult(path, async () =>
    statSync(path).isDirectory() ? openFolder(path) : openFile(path, passphrase),
  );
}

/** `null` if the file does not exist; `too_large` above `limit` bytes. */
export async function readSmall(
  files: readonly SourceFile[],
  path: string,
  limit = 1024 * 1024,
): Promise<string | null> {
  const file = files.find((one) => one.path === path);
  if (!file) return null;
  if (file.size > limit) throw new BundleFault('too_large', say('moving.fileTooLarge'), { where: path });
  const pieces: Uint8Array[] = [];
  for await (const piece of file.chunks()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

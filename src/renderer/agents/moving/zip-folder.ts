/**
 * Packs a folder chosen in a browser into an uncompressed ZIP archive, which the host reads like any other
 * export.
 */
import { Zip, ZipPassThrough } from 'fflate';

export interface AgentFile {
  /** Path in the archive: `agents/<id>/…`. */
  readonly path: string;
  readonly file: File;
}

/**
 * Selects the agents' files. The chosen folder may be one agent, a folder of agents, or a whole home folder.
 */
export function agentsOf(files: readonly File[]): readonly AgentFile[] {
  const inside = files.map((file) => ({ file, parts: file.webkitRelativePath.split('/') }));
  const roots = inside
    .filter(({ parts }) => parts.at(-1) === 'agent.yml')
    .map(({ parts }) => parts.slice(0, -1))
    .filter((root) => root.length <= 3 && (root.length < 3 || root[1] === 'agents'));
  return inside.flatMap(({ file, parts }) => {
    const root = roots.find(
      (one) => one.length < parts.length && one.every((part, at) => part === parts[at]),
    );
    if (root === undefined) return [];
    return [{ path: ['agents', ...parts.slice(root.length - 1)].join('/'), file }];
  });
}

/** 1980-01-01, the earliest date of the format; the import ignores dates. */
const date = '1980-01-01T12:00:00';

export async function zipOf(files: readonly AgentFile[]): Promise<File> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    // The pieces are the files' own bytes; a copy would double the memory.
    parts.push(piece as Uint8Array<ArrayBuffer>);
  });
  for (const { path, file } of files) {
    const entry = new ZipPassThrough(path);
    entry.mtime = date;
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  return new File(parts, 'folder.zip');
}

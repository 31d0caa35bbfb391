/**
 * Packs a folder chosen in a browser into an uncompressed ZIP archive, which the host reads like any other
 * export.
 */

export interface PackedFile {
  /** Path in the archive: `agents/<id>/…`. */
  readonly path: string;
  readonly file: File;
}

/**
 * Selects the agents' files. The chosen folder may be one agent, a folder of agents, or a whole home folder.
 */
export function agentsOf(files: readonly File[]): readonly PackedFile[] {
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

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  return ~sum >>> 0;
}

/** Writes a record of two- and four-byte little-endian fields (APPNOTE 4.4). */
function record(
  signature: number,
  fields: readonly (readonly [value: number, bytes: 2 | 4])[],
  name?: Uint8Array,
) {
  const size = 4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0);
  const out = new Uint8Array(size + (name?.length ?? 0));
  const view = new DataView(out.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  if (name) out.set(name, size);
  return out;
}

/** General purpose flag: file names are UTF-8. */
const utf8Names = 0x0800;
/** 1980-01-01, the earliest date of the format; the import ignores dates. */
const date = 0x0021;

export async function zipOf(files: readonly PackedFile[]): Promise<File> {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const name = new TextEncoder().encode(path);
    const facts = [
      [20, 2],
      [utf8Names, 2],
      [0, 2],
      [0, 2],
      [date, 2],
      [crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const;
    const local = record(0x04034b50, facts, name);
    const rest = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const;
    directory.push(record(0x02014b50, [[20, 2], ...facts, ...rest], name));
    parts.push(local, bytes);
    offset += local.length + bytes.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = record(0x06054b50, [
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
  return new File([...parts, ...directory, end], 'folder.zip');
}

/**
 * Reads the directory of a zip archive (APPNOTE 6.3) and checks it before any byte is unpacked: names, kinds,
 * sizes, ratio, and that no two entries share bytes (T16). Zip64, encryption and split archives are refused.
 */
import { say } from '../../language/say.ts';
import { bundleFault } from './bundle-fault.ts';
import type { ByteSource } from './byte-source.ts';
import { checkNames } from './entry-names.ts';
import { type ZipLimits, zipLimits } from './zip-limits.ts';

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly packedSize: number;
  readonly crc: number;
  readonly deflated: boolean;
  /** Offset of the local header. */
  readonly offset: number;
}

const endMark = 0x06054b50;
const centralMark = 0x02014b50;
const endBytes = 22;
const centralBytes = 46;
const longestComment = 65_535;
const link = 0o120000;
const plainFile = 0o100000;
const folder = 0o040000;
const kindBits = 0o170000;

const damaged = () => bundleFault(say('moving.notZipArchive'));

function findEnd(source: ByteSource): Buffer {
  const length = Math.min(source.size, endBytes + longestComment);
  const tail = source.read(source.size - length, length);
  for (let at = length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    // A marker inside the comment is not the end record.
    if (tail.readUInt16LE(at + 20) === length - at - endBytes) return tail.subarray(at, at + endBytes);
  }
  throw damaged();
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw bundleFault(say('moving.nameNotUtf8'));
  }
}

/** `null` for a folder, which needs no entry of its own. */
function readEntry(header: Buffer, name: string): ZipEntry | null {
  const flags = header.readUInt16LE(8);
  const method = header.readUInt16LE(10);
  const kind = header.readUInt8(5) === 3 ? (header.readUInt32LE(38) >>> 16) & kindBits : 0;
  if ((flags & 1) !== 0) throw bundleFault(say('moving.entryPasswordProtected'), name);
  if (kind === link) throw bundleFault(say('moving.linkInArchive'), name);
  if (kind !== 0 && kind !== plainFile && kind !== folder)
    throw bundleFault(say('moving.unsupportedEntry'), name);
  if (method !== 0 && method !== 8) throw bundleFault(say('moving.unsupportedCompression'), name);
  const size = header.readUInt32LE(24);
  const packedSize = header.readUInt32LE(20);
  const offset = header.readUInt32LE(42);
  if (size === 0xffffffff || packedSize === 0xffffffff || offset === 0xffffffff) throw tooLarge();
  if (name.endsWith('/') || kind === folder) {
    if (size > 0) throw damaged();
    return null;
  }
  if (method === 0 && size !== packedSize) throw damaged();
  return { name, size, packedSize, crc: header.readUInt32LE(16), deflated: method === 8, offset };
}

const tooLarge = () => bundleFault(say('moving.unpackedTooLarge'));

function checkSizes(entries: readonly ZipEntry[], packed: number, limits: ZipLimits): void {
  let total = 0;
  for (const { name, size, packedSize } of entries) {
    total += size;
    if (total > limits.totalBytes) throw tooLarge();
    if (size > limits.ratioFromBytes && size > packedSize * limits.ratio) {
      throw bundleFault(say('moving.entryBomb'), name);
    }
  }
  if (total > limits.ratioFromBytes && total > packed * limits.ratio) {
    throw bundleFault(say('moving.zipBomb'));
  }
}

/** Entries that share bytes make a small archive expand hugely. */
function checkOverlaps(entries: readonly ZipEntry[]): void {
  const ordered = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [index, entry] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next && entry.offset + 30 + entry.packedSize > next.offset) throw damaged();
  }
}

export function readDirectory(source: ByteSource, limits: ZipLimits = zipLimits): readonly ZipEntry[] {
  if (source.size < endBytes) throw damaged();
  const end = findEnd(source);
  const count = end.readUInt16LE(10);
  if (end.readUInt16LE(4) !== 0 || count !== end.readUInt16LE(8)) throw damaged();
  if (count === 0xffff || count > limits.entries) throw tooLarge();
  const bytes = source.read(end.readUInt32LE(16), end.readUInt32LE(12));
  const entries: ZipEntry[] = [];
  const names: string[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + centralBytes > bytes.length || bytes.readUInt32LE(at) !== centralMark) throw damaged();
    const header = bytes.subarray(at, at + centralBytes);
    const nameEnd = at + centralBytes + header.readUInt16LE(28);
    if (nameEnd > bytes.length) throw damaged();
    const name = textOf(bytes.subarray(at + centralBytes, nameEnd));
    const entry = readEntry(header, name);
    names.push(name.replace(/\/$/, ''));
    if (entry) entries.push(entry);
    at = nameEnd + header.readUInt16LE(30) + header.readUInt16LE(32);
  }
  checkFolders(names, entries);
  checkSizes(entries, source.size, limits);
  checkOverlaps(entries);
  return entries;
}

/** Folder entries are optional; their names must be as safe as file names. */
function checkFolders(names: readonly string[], entries: readonly ZipEntry[]): void {
  const files = new Set(entries.map(({ name }) => name));
  for (const name of new Set(names.filter((one) => !files.has(one)))) checkNames([name]);
  checkNames(entries.map(({ name }) => name));
}

/**
 * Reads one file of an archive in pieces; never more than its entry states, and complete only if its checksum
 * matches.
 */
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { say } from '../../language/say.ts';
import { bundleFault } from './bundle-fault.ts';
import type { ByteSource } from './byte-source.ts';
import type { ZipEntry } from './zip-directory.ts';

const localMark = 0x04034b50;
const localBytes = 30;
const pieceBytes = 64 * 1024;

const damaged = (name: string) => bundleFault(say('moving.entryDamaged'), name);

function* packedPieces(source: ByteSource, entry: ZipEntry): Generator<Buffer> {
  const header = source.read(entry.offset, localBytes);
  if (header.readUInt32LE(0) !== localMark) throw damaged(entry.name);
  const nameBytes = header.readUInt16LE(26);
  // An archive whose local name differs from the directory's shows different files to different readers.
  const name = source.read(entry.offset + localBytes, nameBytes).toString('utf8');
  if (name !== entry.name) throw damaged(entry.name);
  const start = entry.offset + localBytes + nameBytes + header.readUInt16LE(28);
  for (let at = 0; at < entry.packedSize; at += pieceBytes) {
    yield source.read(start + at, Math.min(pieceBytes, entry.packedSize - at));
  }
}

async function* inflated(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = Readable.from(packedPieces(source, entry), { objectMode: true });
  const inflate = createInflateRaw();
  packed.once('error', (error) => inflate.destroy(error));
  try {
    for await (const piece of packed.pipe(inflate)) yield piece as Buffer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw damaged(entry.name);
    throw error;
  } finally {
    packed.destroy();
    inflate.destroy();
  }
}

export async function* entryContent(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  let size = 0;
  let sum = 0;
  const pieces = entry.deflated ? inflated(source, entry) : packedPieces(source, entry);
  for await (const piece of pieces) {
    size += piece.length;
    if (size > entry.size) throw damaged(entry.name);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (size !== entry.size || sum !== entry.crc) throw damaged(entry.name);
}

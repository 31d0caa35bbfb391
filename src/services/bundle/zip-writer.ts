/** Writes a zip archive as a stream, file by file, with the sizes after the data (APPNOTE 4.4.4, bit 3). */
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { say } from '../../language/say.ts';
import { BundleFault } from './bundle-fault.ts';
import { zipLimits } from './zip-limits.ts';

export interface ZipMember {
  /** A relative path with `/`. */
  readonly name: string;
  /** ms since the epoch. */
  readonly changedAt: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

interface Written {
  readonly name: Buffer;
  readonly stamp: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
}

const version = 20;
/** Bits: sizes follow the data; names are UTF-8. */
const flags = 0x0808;
const deflate = 8;
const ownerOnlyFile = 0o100600;

/** DOS time: two-second steps from 1980. In UTC, so that an export does not reveal its time zone. */
function dosStamp(ms: number): number {
  const date = new Date(Math.max(ms, Date.UTC(1980, 0, 1)));
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x10000 + time;
}

/** The fields common to the local header and the directory. */
function header(mark: number, length: number, at: number, file: Omit<Written, 'offset'>): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32LE(mark, 0);
  bytes.writeUInt16LE(version, at);
  bytes.writeUInt16LE(flags, at + 2);
  bytes.writeUInt16LE(deflate, at + 4);
  bytes.writeUInt32LE(file.stamp, at + 6);
  bytes.writeUInt32LE(file.crc, at + 10);
  bytes.writeUInt32LE(file.packedSize, at + 14);
  bytes.writeUInt32LE(file.size, at + 18);
  bytes.writeUInt16LE(file.name.length, at + 22);
  return bytes;
}

const tooLarge = () =>
  new BundleFault('too_large', say('moving.exportTooLarge'), {
    hint: say('moving.exportLimits'),
  });

export async function* zipPieces(files: Iterable<ZipMember>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  let total = 0;
  for (const file of files) {
    if (written.length >= zipLimits.entries) throw tooLarge();
    const offset = at;
    const base = { name: Buffer.from(file.name), stamp: dosStamp(file.changedAt) };
    const head = header(0x04034b50, 30, 4, { ...base, crc: 0, size: 0, packedSize: 0 });
    let [crc, size, packedSize] = [0, 0, 0];
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of file.chunks()) {
        crc = crc32(piece, crc);
        size += piece.length;
        if (total + size > zipLimits.totalBytes) throw tooLarge();
        yield piece;
      }
    };
    yield Buffer.concat([head, base.name]);
    const packing = createDeflateRaw();
    const source = Readable.from(counted(), { objectMode: true });
    source.once('error', (error) => packing.destroy(error));
    for await (const piece of source.pipe(packing)) {
      packedSize += (piece as Buffer).length;
      yield piece as Buffer;
    }
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(0x08074b50, 0);
    tail.writeUInt32LE(crc, 4);
    tail.writeUInt32LE(packedSize, 8);
    tail.writeUInt32LE(size, 12);
    yield tail;
    written.push({ ...base, crc, size, packedSize, offset });
    at += head.length + base.name.length + packedSize + tail.length;
    total += size;
  }
  yield directory(written, at);
}

function directory(written: readonly Written[], start: number): Buffer {
  const parts = written.flatMap((file) => {
    const bytes = header(0x02014b50, 46, 6, file);
    bytes.writeUInt16LE((3 << 8) | version, 4);
    bytes.writeUInt32LE(ownerOnlyFile * 0x10000, 38);
    bytes.writeUInt32LE(file.offset, 42);
    return [bytes, file.name];
  });
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, end]);
}

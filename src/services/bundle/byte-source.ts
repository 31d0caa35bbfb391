/** Random access to bytes: an archive on disk, or one decrypted in memory. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { say } from '../../language/say.ts';
import { bundleFault } from './bundle-fault.ts';

export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes; throws if the archive ends before. */
  read(offset: number, length: number): Buffer;
  close(): void;
}

const beyond = () => bundleFault(say('moving.archiveDamaged'));

export function bufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw beyond();
      return bytes.subarray(offset, offset + length);
    },
    close: () => undefined,
  };
}

export function fileSource(path: string): ByteSource {
  const descriptor = openSync(path, constants.O_RDONLY);
  const { size } = fstatSync(descriptor);
  return {
    size,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > size) throw beyond();
      const bytes = Buffer.alloc(length);
      let at = 0;
      while (at < length) {
        const count = readSync(descriptor, bytes, at, length - at, offset + at);
        if (count === 0) throw beyond();
        at += count;
      }
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}

/** Contents in `restore.db`, each once under its sha256. */
import type { PathState } from '../../core/undo/path-state.ts';
import type { StoreHandle } from './store-file.ts';

/** Returns the bytes that were stored: 0 if the content was stored already. */
export function putContent({ sql }: StoreHandle, hash: string, bytes: Uint8Array): number {
  const insert = sql('INSERT OR IGNORE INTO contents (hash, size, bytes) VALUES (?, ?, ?)');
  return insert.run([hash, bytes.length, bytes]).changes > 0 ? bytes.length : 0;
}

export function readContent({ sql }: StoreHandle, hash: string): Uint8Array | null {
  const bytes = sql('SELECT bytes FROM contents WHERE hash = ?').get([hash])?.bytes;
  return bytes instanceof Uint8Array ? bytes : null;
}

export const hashesIn = (states: Iterable<PathState>): readonly string[] =>
  [...states].flatMap((state) => (state.kind === 'file' ? state.hash : []));

export function areStored({ sql }: StoreHandle, hashes: readonly string[]): boolean {
  const lost = sql('SELECT 1 FROM json_each(?) WHERE value NOT IN (SELECT hash FROM contents) LIMIT 1');
  return lost.get([JSON.stringify(hashes)]) === undefined;
}

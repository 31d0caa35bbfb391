/**
 * The log for readers: a live stream, and pages of the files, newest first. A read scans a bounded part of
 * them, however rare the match, and returns where the next one continues. Rotation between two reads neither
 * repeats nor skips a line: a position is a file's inode and a byte offset.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { LogLevelName, LogLine } from '../../contract/work-methods.ts';
import { atLeast, logLineOf } from './log-line.ts';

export interface LogQuery {
  readonly before?: string | undefined;
  readonly level: LogLevelName;
  readonly agent?: string | undefined;
  /** Empty matches all lines. */
  readonly text: string;
  readonly limit: number;
}

export interface LogPage {
  readonly lines: LogLine[];
  readonly next: string | null;
  readonly readTo: number | null;
}

export interface WrittenLine {
  readonly id: string;
  readonly text: string;
}

export interface LogSource {
  /** Called for each written line with its position; `null` if the disk refused it. */
  push(text: string, id: string | null): void;
  follow(listener: (line: WrittenLine) => void): () => void;
  read(query: LogQuery): LogPage;
}

/** Bytes that one read scans, unless a single line is longer. */
const budgetBytes = 1024 * 1024;
const pieceBytes = 128 * 1024;
const newline = 10;

interface OpenPart {
  readonly fd: number;
  readonly inode: string;
  readonly size: number;
}

/** The file and its rotated ones, newest first; held open, so that a rotation meanwhile moves nothing. */
function openParts(path: string, keep: number): OpenPart[] {
  const names = [path, ...Array.from({ length: keep }, (_, n) => `${path}.${n + 1}`)];
  return names.flatMap((name) => {
    try {
      const fd = openSync(name, 'r');
      const { ino, size } = fstatSync(fd);
      return [{ fd, inode: String(ino), size }];
    } catch {
      return [];
    }
  });
}

interface Found {
  readonly offset: number;
  readonly text: string;
}

/** The lines of the piece that ends at `end`, newest first; `from` is the offset of the oldest. */
function linesBefore({ fd }: OpenPart, end: number): { lines: Found[]; from: number } {
  for (let size = pieceBytes; ; size *= 4) {
    const start = Math.max(0, end - size);
    const bytes = Buffer.alloc(end - start);
    const count = readSync(fd, bytes, 0, bytes.length, start);
    const first = start === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (start > 0 && (first === 0 || first >= count)) continue;
    const lines: Found[] = [];
    for (let at = first; at < count; ) {
      const stop = bytes.indexOf(newline, at);
      const to = stop < 0 ? count : stop;
      if (to > at) lines.push({ offset: start + at, text: bytes.toString('utf8', at, to) });
      at = to + 1;
    }
    return { lines: lines.reverse(), from: start + first };
  }
}

function placeOf(parts: readonly OpenPart[], before: string | undefined): { index: number; end: number } {
  const [inode, offset] = before?.split(':') ?? [];
  if (before === undefined) return { index: 0, end: parts[0]?.size ?? 0 };
  const index = parts.findIndex((part) => part.inode === inode);
  const end = Number(offset);
  if (index < 0 || !Number.isSafeInteger(end) || end < 0) return { index: parts.length, end: 0 };
  return { index, end: Math.min(end, parts[index]?.size ?? 0) };
}

/** Filters lines by a query; a line is parsed only if its text matches. */
class Sieve {
  readonly lines: LogLine[] = [];
  readTo: number | null = null;
  readonly #query: LogQuery;
  readonly #words: string;

  constructor(query: LogQuery) {
    this.#query = query;
    this.#words = query.text.toLowerCase();
  }

  /**
   * Returns true once the limit is reached. `last` marks the last line of a piece, whose time shows the
   * progress of the search.
   */
  take(id: string, text: string, last: boolean): boolean {
    const fits = this.#words === '' || text.toLowerCase().includes(this.#words);
    if (!fits && !last) return false;
    const line = logLineOf(id, text);
    if (line.at > 0) this.readTo = line.at;
    const { level, agent, limit } = this.#query;
    const wanted = fits && atLeast(line.level, level) && (agent === undefined || line.agent === agent);
    if (wanted) this.lines.push(line);
    return this.lines.length >= limit;
  }
}

function readBack(parts: readonly OpenPart[], query: LogQuery): LogPage {
  const sieve = new Sieve(query);
  const page = (next: string | null): LogPage => ({ lines: sieve.lines, next, readTo: sieve.readTo });
  const place = placeOf(parts, query.before);
  let looked = 0;
  for (const [nth, part] of parts.slice(place.index).entries()) {
    for (let end = nth === 0 ? place.end : part.size; end > 0; ) {
      if (looked >= budgetBytes) return page(`${part.inode}:${end}`);
      const { lines, from } = linesBefore(part, end);
      looked += end - from;
      for (const { offset, text } of lines) {
        const id = `${part.inode}:${offset}`;
        if (sieve.take(id, text, offset === from)) return page(id);
      }
      end = from;
    }
  }
  return page(null);
}

export function createLogSource(options: { readonly path: string; readonly keep: number }): LogSource {
  const listeners = new Set<(line: WrittenLine) => void>();
  return {
    push(text, id) {
      if (listeners.size === 0 || id === null) return;
      for (const listener of listeners) listener({ id, text });
    },
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read(query) {
      const parts = openParts(options.path, options.keep);
      try {
        return readBack(parts, query);
      } finally {
        for (const { fd } of parts) closeSync(fd);
      }
    },
  };
}

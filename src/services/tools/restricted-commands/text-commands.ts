/**
 * `pwd`, `echo`, `cat`, `head`, `tail`, `wc`: files are read in pieces, and only as far as output is kept.
 */
import { hasOption, optionValue } from '../../../core/policy/commands/parsed-command.ts';
import {
  absolute,
  type BashSimpleCommand,
  chunkBytes,
  complain,
  forEachOperand,
  type SimpleContext,
} from './simple-context.ts';

const newline = 10;

/** Feeds a file to `take` until it returns false; returns the exit code. */
async function readPieces(
  context: SimpleContext,
  path: string,
  from: number,
  take: (bytes: Uint8Array, size: number) => boolean,
): Promise<number> {
  for (let offset = from; !context.signal.aborted; ) {
    const read = await context.files.read(absolute(context, path), { offset, maxBytes: chunkBytes });
    if (!read.ok) return complain(context, path, read.error);
    const { bytes, size } = read.value;
    if (bytes.length === 0 || !take(bytes, size)) return 0;
    offset += bytes.length;
    // Yields between pieces to timers and other agents.
    await new Promise(setImmediate);
  }
  return 1;
}

const suffixes: Readonly<Record<string, number>> = {
  '': 1,
  b: 512,
  k: 1024,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  kB: 1000,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
};

function amount(text: string): { readonly sign: string; readonly count: number } {
  const [, sign = '', digits = '0', suffix = ''] = /^([+-]?)(\d+)([A-Za-z]*)$/.exec(text) ?? [];
  return { sign, count: Number(digits) * (suffixes[suffix.replace('iB', '')] ?? 1) };
}

const pwd: BashSimpleCommand = (context) => {
  context.out.write(`${context.cwd}\n`);
  return Promise.resolve(0);
};

const echo: BashSimpleCommand = ({ command, out }) => {
  out.write(command.operands.map(({ text }) => text).join(' ') + (hasOption(command, '-n') ? '' : '\n'));
  return Promise.resolve(0);
};

/** Numbers lines and squeezes blank ones, across pieces and files. */
function lineEditor(context: SimpleContext): (bytes: Uint8Array) => void {
  const { command, out } = context;
  const all = hasOption(command, '-n') && !hasOption(command, '-b');
  const nonBlank = hasOption(command, '-b');
  const squeeze = hasOption(command, '-s');
  let line = 0;
  let atStart = true;
  let blanks = 0;
  const print = (piece: Uint8Array, blank: boolean): void => {
    blanks = blank ? blanks + 1 : 0;
    if (squeeze && blanks > 1) return;
    if (atStart && (all || (nonBlank && !blank))) {
      line += 1;
      out.write(`${String(line).padStart(6)}\t`);
    }
    out.write(piece);
  };
  return (bytes) => {
    for (let at = 0; at < bytes.length && !out.full; ) {
      const end = bytes.indexOf(newline, at);
      const stop = end < 0 ? bytes.length : end + 1;
      print(bytes.subarray(at, stop), atStart && bytes[at] === newline);
      atStart = end >= 0;
      at = stop;
    }
  };
}

const cat: BashSimpleCommand = async (context) => {
  const { out } = context;
  const edit = context.command.options.length > 0 ? lineEditor(context) : null;
  return forEachOperand(context, (path) => {
    let seen = 0;
    return readPieces(context, path, 0, (bytes, size) => {
      seen += bytes.length;
      if (edit) edit(bytes);
      else out.write(bytes);
      if (!out.full) return true;
      out.skip(size - seen);
      return false;
    });
  });
};

function header(context: SimpleContext, path: string, index: number): void {
  const { command, out } = context;
  const many = command.operands.length > 1 || hasOption(command, '-v');
  if (many && !hasOption(command, '-q')) out.write(`${index > 0 ? '\n' : ''}==> ${path} <==\n`);
}

/** Passes bytes on until `count` lines or bytes have passed. */
function firstPart(context: SimpleContext, lines: boolean, count: number): (bytes: Uint8Array) => boolean {
  let left = count;
  return (bytes) => {
    let end = lines ? 0 : Math.min(left, bytes.length);
    if (!lines) left -= end;
    for (; lines && left > 0 && end < bytes.length; ) {
      const next = bytes.indexOf(newline, end);
      end = next < 0 ? bytes.length : next + 1;
      if (next >= 0) left -= 1;
    }
    context.out.write(bytes.subarray(0, end));
    return left > 0 && !context.out.full;
  };
}

const head: BashSimpleCommand = (context) => {
  const bytes = optionValue(context.command, '-c');
  const { count } = amount(bytes ?? optionValue(context.command, '-n') ?? '10');
  return forEachOperand(context, (path, index) => {
    header(context, path, index);
    const take = firstPart(context, bytes === null, count);
    let seen = 0;
    return readPieces(context, path, 0, (piece, size) => {
      seen += piece.length;
      if (count > 0 && take(piece)) return true;
      if (context.out.full && bytes !== null) context.out.skip(Math.min(count, size) - seen);
      return false;
    });
  });
};

/** Offset of the last `count` lines; searches backwards, at most as far as output could be kept. */
async function lastLines(context: SimpleContext, path: string, count: number): Promise<number | null> {
  const file = await context.files.stat(absolute(context, path));
  if (!file.ok) return null;
  let lines = 0;
  for (let end = file.value.size; end > 0 && !context.signal.aborted; ) {
    const offset = Math.max(0, end - chunkBytes);
    const read = await context.files.read(absolute(context, path), { offset, maxBytes: end - offset });
    if (!read.ok) return null;
    for (let at = read.value.bytes.length - 1; at >= 0; at -= 1) {
      const isLast = offset + at === file.value.size - 1;
      if (read.value.bytes[at] !== newline || isLast) continue;
      lines += 1;
      if (lines === count) return offset + at + 1;
    }
    end = offset;
    await new Promise(setImmediate);
  }
  return 0;
}

async function tailStart(context: SimpleContext, path: string): Promise<number | null> {
  const bytes = optionValue(context.command, '-c');
  const { sign, count } = amount(bytes ?? optionValue(context.command, '-n') ?? '10');
  const file = await context.files.stat(absolute(context, path));
  if (!file.ok) return null;
  const { size } = file.value;
  if (bytes !== null) return sign === '+' ? Math.max(0, count - 1) : Math.max(0, size - count);
  if (sign !== '+') return count === 0 ? size : lastLines(context, path, count);
  let left = count - 1;
  let position = 0;
  await readPieces(context, path, 0, (piece) => {
    for (let at = 0; left > 0 && at < piece.length; ) {
      const next = piece.indexOf(newline, at);
      at = next < 0 ? piece.length : next + 1;
      if (next >= 0) left -= 1;
      if (left === 0) position += at;
    }
    if (left > 0) position += piece.length;
    return left > 0;
  });
  return position;
}

const tail: BashSimpleCommand = (context) =>
  forEachOperand(context, async (path, index) => {
    header(context, path, index);
    const start = (await tailStart(context, path)) ?? 0;
    let seen = start;
    return readPieces(context, path, start, (bytes, size) => {
      context.out.write(bytes);
      seen += bytes.length;
      if (!context.out.full) return true;
      context.out.skip(size - seen);
      return false;
    });
  });

interface Counts {
  lines: number;
  words: number;
  chars: number;
  bytes: number;
  longest: number;
}

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
/** True for the first byte of a UTF-8 character. */
const isFirstByte = (byte: number): boolean => (byte & 0xc0) !== 0x80;

function counter(counts: Counts): (bytes: Uint8Array) => void {
  let inWord = false;
  let width = 0;
  return (bytes) => {
    counts.bytes += bytes.length;
    for (const byte of bytes) {
      const space = isSpace(byte);
      if (!space && !inWord) counts.words += 1;
      inWord = !space;
      if (isFirstByte(byte)) {
        counts.chars += 1;
        width += 1;
      }
      if (byte === newline) {
        counts.lines += 1;
        width = 0;
      }
      counts.longest = Math.max(counts.longest, width);
    }
  };
}

const columns: readonly (readonly [string, keyof Counts])[] = [
  ['-l', 'lines'],
  ['-w', 'words'],
  ['-m', 'chars'],
  ['-c', 'bytes'],
  ['-L', 'longest'],
];

const wc: BashSimpleCommand = async (context) => {
  const { command, out } = context;
  const asked = columns.filter(([name]) => hasOption(command, name));
  const shown = asked.length > 0 ? asked : columns.filter(([name]) => ['-l', '-w', '-c'].includes(name));
  const print = (counts: Counts, name: string): void =>
    out.write(`${shown.map(([, key]) => String(counts[key]).padStart(7)).join(' ')} ${name}\n`);
  const sum: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
  const code = await forEachOperand(context, async (path) => {
    const counts: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
    const count = counter(counts);
    const read = await readPieces(context, path, 0, (bytes) => {
      count(bytes);
      return true;
    });
    if (read !== 0) return read;
    print(counts, path);
    for (const key of ['lines', 'words', 'chars', 'bytes'] as const) sum[key] += counts[key];
    sum.longest = Math.max(sum.longest, counts.longest);
    return 0;
  });
  if (command.operands.length > 1) print(sum, 'total');
  return code;
};

export const textCommands = { pwd, echo, cat, head, tail, wc };

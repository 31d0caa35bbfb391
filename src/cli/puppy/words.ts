import { parseArgs } from 'node:util';
import { usage } from '../terminal.ts';

// Parses the arguments of one command. Unknown flags and missing values are rejected before the command runs.

/** `optional` is a text that may be omitted and is empty then. */
export type Flags = Readonly<Record<string, 'text' | 'optional' | 'switch' | 'texts'>>;

export interface PuppyArguments {
  readonly rest: readonly string[];
  has(flag: string): boolean;
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  /** A whole number not below `least`. */
  number(flag: string, least: number): number | undefined;
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.split('. To specify')[0] ?? '';

/** A value may start with a dash, like tokens do, unless it is a known flag. */
function joined(argv: readonly string[], flags: Flags): readonly string[] {
  const isFlag = (word: string): boolean =>
    word.startsWith('--') && Object.hasOwn(flags, word.slice(2).split('=')[0] ?? '');
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const [word = '', value] = [argv[at], argv[at + 1]];
    if (word === '--') return [...words, ...argv.slice(at)];
    const takes = isFlag(word) && !word.includes('=') && flags[word.slice(2)] !== 'switch';
    if (takes && value !== undefined && !isFlag(value)) {
      words.push(`${word}=${value}`);
      at += 1;
    } else words.push(takes && flags[word.slice(2)] === 'optional' ? `${word}=` : word);
  }
  return words;
}

export function readWords(argv: readonly string[], flags: Flags): PuppyArguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, kind]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: kind === 'texts' },
    ]),
  );
  let values: Values = {};
  let rest: readonly string[] = [];
  try {
    const read = parseArgs({ args: [...joined(argv, flags)], options, allowPositionals: true, strict: true });
    values = read.values;
    rest = read.positionals;
  } catch (error) {
    throw usage(`${reasonOf(error)}.`.replace(/\.\.$/, '.'), 'Run "puppy help" to see what is possible.');
  }
  const text = (flag: string): string | undefined => {
    const value = values[flag];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    rest,
    has: (flag) => values[flag] === true,
    text,
    texts(flag) {
      const value = values[flag];
      return Array.isArray(value) ? value.map(String) : [];
    },
    number(flag, least) {
      const value = text(flag);
      if (value === undefined) return undefined;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= least && Number.isSafeInteger(number)) return number;
      throw usage(`--${flag} must be a whole number from ${least} on.`);
    },
  };
}

export function oneWord(words: PuppyArguments, what: string): string {
  const [only, ...more] = words.rest;
  if (only !== undefined && only !== '' && more.length === 0) return only;
  throw usage(
    more.length > 0 ? `Only ${what} can stand here; put it into quotes if it has blanks.` : `Say ${what}.`,
  );
}

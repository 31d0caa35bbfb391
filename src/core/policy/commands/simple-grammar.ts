/** Commands that run in-process: their options, operands and risk. */
import { ok, type Result } from '../../../contract/result.ts';
import type { Risk } from '../assessment.ts';
import { flagOption, isWholeNumber, type ProgramOption, parseOptions, valued } from './options.ts';
import {
  type CommandName,
  commandOf,
  type Operand,
  type OperandKind,
  type ParsedCommand,
} from './parsed-command.ts';
import { type BlockReason, type CommandRefusal, refuseCommand } from './refusal.ts';
import type { Word } from './word-splitting.ts';

interface SimpleSpec {
  readonly options: readonly ProgramOption[];
  readonly risk: Risk;
  /** One kind for all operands, or two: for all but the last, and for the last. */
  readonly operands: OperandKind | readonly [OperandKind, OperandKind] | null;
  readonly least: number;
  readonly digits?: string;
}

export type SimpleName = Exclude<CommandName, 'find' | 'rg' | 'git' | 'echo'>;

const size = /^\d{1,12}(?:[kKMGb]|[kKMG]B|[KMG]iB)?$/;
const fromStart = /^[+-]?\d{1,12}(?:[kKMGb]|[kKMG]B|[KMG]iB)?$/;
const verbose = flagOption('-v', '--verbose');
const headers = [flagOption('-q', '--quiet', '--silent'), verbose];
const recursive = flagOption('-r', '-R', '--recursive');

const specs: Readonly<Record<SimpleName, SimpleSpec>> = {
  pwd: {
    options: [flagOption('-P', '--physical'), flagOption('-L', '--logical')],
    risk: 'low',
    operands: null,
    least: 0,
  },
  ls: {
    options: [
      flagOption('-a', '--all'),
      flagOption('-A', '--almost-all'),
      flagOption('-l'),
      flagOption('-1'),
      flagOption('-h', '--human-readable'),
      flagOption('-R', '--recursive'),
      flagOption('-r', '--reverse'),
      flagOption('-t'),
      flagOption('-S'),
      flagOption('-d', '--directory'),
      flagOption('-F', '--classify'),
      flagOption('-p'),
    ],
    risk: 'low',
    operands: 'read',
    least: 0,
  },
  cat: {
    options: [
      flagOption('-n', '--number'),
      flagOption('-b', '--number-nonblank'),
      flagOption('-s', '--squeeze-blank'),
    ],
    risk: 'low',
    operands: 'read',
    least: 1,
  },
  head: {
    options: [valued(size, '-n', '--lines'), valued(size, '-c', '--bytes'), ...headers],
    risk: 'low',
    operands: 'read',
    least: 1,
    digits: '-n',
  },
  tail: {
    options: [valued(fromStart, '-n', '--lines'), valued(fromStart, '-c', '--bytes'), ...headers],
    risk: 'low',
    operands: 'read',
    least: 1,
    digits: '-n',
  },
  wc: {
    options: [
      flagOption('-l', '--lines'),
      flagOption('-w', '--words'),
      flagOption('-c', '--bytes'),
      flagOption('-m', '--chars'),
      flagOption('-L', '--max-line-length'),
    ],
    risk: 'low',
    operands: 'read',
    least: 1,
  },
  df: {
    options: [flagOption('-h', '--human-readable'), flagOption('-k')],
    risk: 'low',
    operands: 'read',
    least: 0,
  },
  du: {
    options: [
      flagOption('-s', '--summarize'),
      flagOption('-a', '--all'),
      flagOption('-h', '--human-readable'),
      flagOption('-b', '--bytes'),
      flagOption('-k'),
      flagOption('-c', '--total'),
      valued(isWholeNumber, '-d', '--max-depth'),
    ],
    risk: 'low',
    operands: 'read',
    least: 0,
  },
  mkdir: { options: [flagOption('-p', '--parents'), verbose], risk: 'medium', operands: 'write', least: 1 },
  touch: { options: [flagOption('-c', '--no-create')], risk: 'medium', operands: 'write', least: 1 },
  cp: {
    options: [recursive, verbose, flagOption('-f', '--force'), flagOption('-n', '--no-clobber')],
    risk: 'medium',
    operands: ['read', 'target'],
    least: 2,
  },
  mv: {
    options: [verbose, flagOption('-f', '--force'), flagOption('-n', '--no-clobber')],
    risk: 'medium',
    operands: ['entry', 'target'],
    least: 2,
  },
  rm: {
    options: [recursive, verbose, flagOption('-f', '--force'), flagOption('-d', '--dir')],
    risk: 'high',
    operands: 'entry',
    least: 1,
  },
};

export const simpleNames = Object.keys(specs) as readonly SimpleName[];

const destination = (option: string): BlockReason | null =>
  option === '-t' || option.startsWith('--t') ? 'destination_option_not_allowed' : null;

/** Why a word cannot be a path; `null` if it can. */
export function pathRefusal({ text, glob }: Word): CommandRefusal | null {
  const refusal = (message: string): CommandRefusal => refuseCommand('path_not_usable', message).error;
  if (text === '') return refusal('A path is empty.');
  if (text === '-') return refusal('There is no standard input; name a file.');
  return glob
    ? refusal(`"${text.slice(0, 80)}" is not expanded: name the files, or use find or rg -g with quotes.`)
    : null;
}

const kindAt = (spec: SimpleSpec, index: number, count: number): OperandKind =>
  typeof spec.operands === 'string'
    ? spec.operands
    : (spec.operands?.[index === count - 1 ? 1 : 0] ?? 'text');

export function parseSimple(name: SimpleName, words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  const spec = specs[name];
  const copies = name === 'cp' || name === 'mv';
  const parsed = parseOptions(words, {
    specs: spec.options,
    reason: 'option_not_allowed',
    ...(spec.digits === undefined ? {} : { digits: spec.digits }),
    ...(copies ? { reasons: destination } : {}),
  });
  if (!parsed.ok) return parsed;
  const { options, operands } = parsed.value;
  if (operands.length < spec.least || (spec.operands === null && operands.length > 0)) {
    const wanted = spec.operands === null ? 'takes no operands' : `needs ${spec.least} or more paths`;
    return refuseCommand('operands_missing', `${name} ${wanted}.`);
  }
  const unusable = operands.map(pathRefusal).find((refusal) => refusal !== null);
  if (unusable) return refuseCommand(unusable.reason, unusable.message);
  const typed = operands.map(
    ({ text }, index): Operand => ({ kind: kindAt(spec, index, operands.length), text }),
  );
  return ok(commandOf({ name, subcommand: null, options, operands: typed, risk: spec.risk }));
}

/** `echo`: `-n` and `-E` first; the rest is text. */
export function parseEcho(words: readonly Word[]): Result<ParsedCommand, CommandRefusal> {
  const first = words.findIndex(({ text }) => !/^-[nE]+$/.test(text));
  const count = first < 0 ? words.length : first;
  if (/^-[neE]+$/.test(words[count]?.text ?? ''))
    return refuseCommand(
      'option_not_allowed',
      'The option -e is not on the list: escapes are printed as they are.',
    );
  const silent = words.slice(0, count).some(({ text }) => text.includes('n'));
  const glob = words.find((word) => word.glob);
  if (glob)
    return refuseCommand('path_not_usable', `"${glob.text.slice(0, 80)}" is not expanded; put it in quotes.`);
  return ok(
    commandOf({
      name: 'echo',
      subcommand: null,
      options: silent ? [{ name: '-n', value: null }] : [],
      operands: words.slice(count).map(({ text }): Operand => ({ kind: 'text', text })),
      risk: 'low',
    }),
  );
}

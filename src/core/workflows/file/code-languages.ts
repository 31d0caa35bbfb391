/** Table of programs that take code on their command line, and which arguments hold the code. */
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

export interface CodeLanguage {
  readonly programs: RegExp;
  /** Letters of flags whose argument is code, alone or combined (`-ne`). */
  readonly letters: string;
  readonly longFlags?: readonly string[];
  /** Flags with arguments, and how many; `file`: the argument names a file with code. */
  readonly takes?: { readonly [flag: string]: 1 | 2 | 'file' };
  /**
   * Which positional arguments are code. `stop`: none, and everything after the first belongs to the program;
   * `none`: none.
   */
  readonly operands: 'stop' | 'none' | 'first' | 'behind-first' | 'all';
  /** Reads code from standard input if its arguments contain none. */
  readonly fromInput: boolean;
  /** Flag that always makes it read code from standard input. */
  readonly inputFlag?: string;
  /** Suggested replacement for the value. */
  readonly instead: HostText;
}

const inVariable = (there: string): HostText => say('workflowFiles.useVariableThere', { there });
const bound = say('workflowFiles.useBoundValues');
const singleQuotes = say('workflowFiles.useSingleQuotes');

export const codeLanguages: readonly CodeLanguage[] = [
  {
    programs: /^(?:python|pypy)[\d.]*$/,
    letters: 'c',
    operands: 'stop',
    fromInput: true,
    instead: inVariable('os.environ["VALUE"]'),
  },
  {
    programs: /^perl[\d.]*$/,
    letters: 'eE',
    operands: 'stop',
    fromInput: true,
    instead: inVariable('$ENV{VALUE}'),
  },
  {
    programs: /^ruby[\d.]*$/,
    letters: 'e',
    operands: 'stop',
    fromInput: true,
    instead: inVariable('ENV["VALUE"]'),
  },
  {
    programs: /^(?:node|nodejs|bun)$/,
    letters: 'ep',
    longFlags: ['eval', 'print'],
    operands: 'stop',
    fromInput: true,
    instead: inVariable('process.env.VALUE'),
  },
  {
    programs: /^php[\d.]*$/,
    letters: 'r',
    operands: 'stop',
    fromInput: true,
    instead: inVariable('getenv("VALUE")'),
  },
  {
    programs: /^lua[\d.]*$/,
    letters: 'e',
    operands: 'stop',
    fromInput: true,
    instead: inVariable('os.getenv("VALUE")'),
  },
  {
    programs: /^[gmn]?awk$/,
    letters: 'e',
    longFlags: ['source'],
    takes: { '-F': 1, '-v': 1, '-f': 'file', '--file': 'file' },
    operands: 'first',
    fromInput: false,
    instead: inVariable('ENVIRON["VALUE"]'),
  },
  {
    programs: /^g?sed$/,
    letters: 'e',
    longFlags: ['expression'],
    takes: { '-l': 1, '-f': 'file', '--file': 'file' },
    operands: 'first',
    fromInput: false,
    instead: say('workflowFiles.useAwk'),
  },
  {
    programs: /^jq$/,
    letters: '',
    takes: {
      '--arg': 2,
      '--argjson': 2,
      '--slurpfile': 2,
      '--rawfile': 2,
      '--indent': 1,
      '-L': 1,
      '-f': 'file',
      '--from-file': 'file',
    },
    operands: 'first',
    fromInput: false,
    instead: say('workflowFiles.useJqArgument'),
  },
  {
    programs: /^sqlite3$/,
    letters: '',
    takes: { '-separator': 1, '-init': 1, '-nullvalue': 1, '-newline': 1 },
    operands: 'behind-first',
    fromInput: true,
    instead: bound,
  },
  {
    programs: /^(?:psql|mysql|mariadb)$/,
    letters: 'ce',
    longFlags: ['command', 'execute'],
    operands: 'none',
    fromInput: true,
    instead: bound,
  },
];

export const shells: readonly CodeLanguage[] = [
  {
    programs: /^(?:ba|da|k|mk|z|fi|a)?sh$/,
    letters: 'c',
    operands: 'stop',
    fromInput: true,
    inputFlag: '-s',
    instead: singleQuotes,
  },
  {
    programs: /^eval$/,
    letters: '',
    operands: 'all',
    fromInput: false,
    instead: singleQuotes,
  },
  {
    programs: /^ssh$/,
    letters: '',
    takes: { '-i': 1, '-p': 1, '-l': 1, '-o': 1, '-F': 1, '-J': 1 },
    operands: 'behind-first',
    fromInput: false,
    instead: say('workflowFiles.useStandardInput'),
  },
];

/** Programs that take code on their command line, and which of their words it is: a table. */

export interface Language {
  readonly programs: RegExp;
  /** Letters of the flags whose word is code, alone or among others (`-ne`). */
  readonly letters: string;
  readonly longFlags?: readonly string[];
  /** Flags with words of their own, and how many; `file`: the code is in that file. */
  readonly takes?: { readonly [flag: string]: 1 | 2 | 'file' };
  /** Words that are no flags: none is code, and behind the first all are the program's own (`stop`); none is (`none`); which are. */
  readonly operands: 'stop' | 'none' | 'first' | 'behind-first' | 'all';
  /** Without code in its words it reads code from standard input. */
  readonly fromInput: boolean;
  /** Says so, whatever else stands there. */
  readonly inputFlag?: string;
  /** What to write there in place of the value. */
  readonly instead: string;
}

const inVariable = (there: string): string =>
  `Hand it over as a variable, env: {VALUE: …}, and write ${there} there.`;
const bound = 'Use a program that takes values apart from the statement, and hand it over on standard input.';

export const languages: readonly Language[] = [
  {
    programs: /^(?:python|pypy)[\d.]*$/,
    ...{ letters: 'c', operands: 'stop', fromInput: true, instead: inVariable('os.environ["VALUE"]') },
  },
  {
    programs: /^perl[\d.]*$/,
    ...{ letters: 'eE', operands: 'stop', fromInput: true, instead: inVariable('$ENV{VALUE}') },
  },
  {
    programs: /^ruby[\d.]*$/,
    ...{ letters: 'e', operands: 'stop', fromInput: true, instead: inVariable('ENV["VALUE"]') },
  },
  {
    programs: /^(?:node|nodejs|bun)$/,
    ...{ letters: 'ep', longFlags: ['eval', 'print'], operands: 'stop', fromInput: true },
    instead: inVariable('process.env.VALUE'),
  },
  {
    programs: /^php[\d.]*$/,
    ...{ letters: 'r', operands: 'stop', fromInput: true, instead: inVariable('getenv("VALUE")') },
  },
  {
    programs: /^lua[\d.]*$/,
    ...{ letters: 'e', operands: 'stop', fromInput: true, instead: inVariable('os.getenv("VALUE")') },
  },
  {
    programs: /^[gmn]?awk$/,
    ...{ letters: 'e', longFlags: ['source'], takes: { '-F': 1, '-v': 1, '-f': 'file', '--file': 'file' } },
    ...{ operands: 'first', fromInput: false, instead: inVariable('ENVIRON["VALUE"]') },
  },
  {
    programs: /^g?sed$/,
    ...{ letters: 'e', longFlags: ['expression'], takes: { '-l': 1, '-f': 'file', '--file': 'file' } },
    ...{ operands: 'first', fromInput: false },
    instead: 'Use awk: hand it over as a variable, env: {VALUE: …}, and write ENVIRON["VALUE"] there.',
  },
  {
    programs: /^jq$/,
    letters: '',
    takes: {
      ...{ '--arg': 2, '--argjson': 2, '--slurpfile': 2, '--rawfile': 2, '--indent': 1, '-L': 1 },
      ...{ '-f': 'file', '--from-file': 'file' },
    },
    ...{ operands: 'first', fromInput: false },
    instead: 'Hand it over with --arg value …, and write $value there.',
  },
  {
    programs: /^sqlite3$/,
    ...{ letters: '', takes: { '-separator': 1, '-init': 1, '-nullvalue': 1, '-newline': 1 } },
    ...{ operands: 'behind-first', fromInput: true, instead: bound },
  },
  {
    programs: /^(?:psql|mysql|mariadb)$/,
    ...{
      letters: 'ce',
      longFlags: ['command', 'execute'],
      operands: 'none',
      fromInput: true,
      instead: bound,
    },
  },
];

export const shells: readonly Language[] = [
  {
    programs: /^(?:ba|da|k|mk|z|fi|a)?sh$/,
    ...{ letters: 'c', operands: 'stop', fromInput: true, inputFlag: '-s' },
    instead: 'Put that text into single quotes, so that only the inner shell reads "$VALUE".',
  },
  {
    programs: /^eval$/,
    ...{ letters: '', operands: 'all', fromInput: false },
    instead: 'Put that text into single quotes, so that only the inner shell reads "$VALUE".',
  },
  {
    programs: /^ssh$/,
    ...{ letters: '', takes: { '-i': 1, '-p': 1, '-l': 1, '-o': 1, '-F': 1, '-J': 1 } },
    ...{ operands: 'behind-first', fromInput: false, instead: 'Send it on standard input.' },
  },
];

/**
 * POSIX word splitting without a shell: words, quotes and backslashes only. Any further shell syntax is
 * refused instead of taken literally, so a command never means something other than it looks.
 */
import { ok, type Result } from '../../../contract/result.ts';
import { type CommandRefusal, refuseCommand } from './refusal.ts';

/** UTF-16 units. */
export const maxCommandLength = 2000;

export interface Word {
  readonly text: string;
  /** Contains unquoted `*`, `?`, `[` or braces: allowed as a pattern, not as a path. */
  readonly glob: boolean;
}

interface Scan {
  readonly source: string;
  at: number;
  text: string;
  glob: boolean;
  refusal: CommandRefusal | null;
}

const operatorCharacters = new Set(['|', ';', '<', '>', '&', '(', ')', '`']);
/** Tab and space separate words; other control characters are refused. */
const holdsControl = (text: string): boolean =>
  [...text].some((char) => (char < ' ' && char !== '\t') || char === '\x7f');
const operatorHint = 'There is no shell here: one command, no pipes, lists, redirections or substitutions.';

function stop(scan: Scan, refusal: CommandRefusal): undefined {
  scan.refusal ??= refusal;
  scan.at = scan.source.length;
}

const operatorRefusal = (what: string): CommandRefusal => ({
  reason: 'blocked_shell_operator',
  message: `${what} ${operatorHint}`,
});
const unbalanced: CommandRefusal = { reason: 'invalid_shell_syntax', message: 'A quote is not closed.' };

/** A literal dollar sign: at the end of a word or string. */
const isLoneDollar = (next: string, inDouble: boolean): boolean =>
  inDouble ? /^["\s|)/.,]?$/.test(next) : next === '' || next === ' ' || next === '\t';

function readSingle(scan: Scan): undefined {
  const close = scan.source.indexOf("'", scan.at + 1);
  if (close < 0) return stop(scan, unbalanced);
  scan.text += scan.source.slice(scan.at + 1, close);
  scan.at = close + 1;
}

function readDouble(scan: Scan): undefined {
  scan.at += 1;
  for (let char = scan.source[scan.at]; char !== '"'; char = scan.source[scan.at]) {
    if (char === undefined) return stop(scan, unbalanced);
    const next = scan.source[scan.at + 1] ?? '';
    if (char === '`' || (char === '$' && !isLoneDollar(next, true)))
      return stop(scan, operatorRefusal(`"${char}${next}" is live inside double quotes; use single quotes.`));
    const escapes = char === '\\' && '$`"\\'.includes(next) && next !== '';
    scan.text += escapes ? next : char;
    scan.at += escapes ? 2 : 1;
  }
  scan.at += 1;
}

function readPlain(scan: Scan, char: string): undefined {
  const next = scan.source[scan.at + 1] ?? '';
  if (operatorCharacters.has(char)) return stop(scan, operatorRefusal(`"${char}" outside of quotes.`));
  if (char === '$' && !isLoneDollar(next, false))
    return stop(scan, operatorRefusal(`"$${next}" is not expanded.`));
  if (char === '#' && scan.text === '') return stop(scan, operatorRefusal('Comments are not taken.'));
  if (char === '~' && scan.text === '')
    return stop(scan, operatorRefusal('"~" is not expanded; write the path.'));
  if (char === '\\') {
    if (next === '')
      return stop(scan, { reason: 'invalid_shell_syntax', message: 'It ends in a backslash.' });
    scan.text += next;
    scan.at += 2;
    return;
  }
  if ('*?['.includes(char) || /^\{[^}]*(,|\.\.)[^}]*\}/.test(scan.source.slice(scan.at))) scan.glob = true;
  scan.text += char;
  scan.at += 1;
}

function readWord(scan: Scan): Word {
  scan.text = '';
  scan.glob = false;
  let started = false;
  for (;;) {
    const char = scan.source[scan.at];
    if (char === undefined || char === ' ' || char === '\t') break;
    // `''~` is no home folder and `""#` no comment: only the very first character counts.
    if (char === "'") readSingle(scan);
    else if (char === '"') readDouble(scan);
    else if (started && (char === '~' || char === '#')) {
      scan.text += char;
      scan.at += 1;
    } else readPlain(scan, char);
    started = true;
  }
  return { text: scan.text, glob: scan.glob };
}

/** Total: every text gives words (at least one) or a refusal. */
export function splitWords(source: string): Result<readonly Word[], CommandRefusal> {
  if (source.trim() === '') return refuseCommand('missing_cmd', 'There is no command.');
  if (source.length > maxCommandLength)
    return refuseCommand('command_too_long', `A command has at most ${maxCommandLength} characters.`);
  if (/[\n\r]/.test(source))
    return refuseCommand('blocked_shell_operator', `It has several lines. ${operatorHint}`);
  if (holdsControl(source)) return refuseCommand('invalid_shell_syntax', 'It holds a control character.');
  const scan: Scan = { source, at: 0, text: '', glob: false, refusal: null };
  const words: Word[] = [];
  while (scan.at < source.length) {
    if (source[scan.at] === ' ' || source[scan.at] === '\t') scan.at += 1;
    else words.push(readWord(scan));
  }
  return scan.refusal ? refuseCommand(scan.refusal.reason, scan.refusal.message) : ok(words);
}

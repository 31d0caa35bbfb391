import type { HostText } from '../language/host-message.ts';
import { commandFailure } from './terminal.ts';

/** `flag` is, for example, `--limit`, or what the number is of. */
export function parseWholeNumber(flag: HostText, text: string, from: number, to: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < from || value > to)
    throw commandFailure('invalid_input', 'cliTerminal.invalidWholeNumber', { flag, from, to });
  return value;
}

/** Days such as `30` or `30d`. */
export const parseDays = (flag: string, text: string): number =>
  parseWholeNumber(flag, text.replace(/^(\d+)d$/, '$1'), 0, 3_650);

export function taskNumber(text: string | undefined): number {
  const id = Number(text);
  if (text === undefined || text === '' || !Number.isSafeInteger(id) || id < 1)
    throw commandFailure(
      'invalid_input',
      'cliTerminal.invalidTaskNumber',
      { text: text ?? '' },
      { help: 'cliTerminal.runTaskListForNumbers' },
    );
  return id;
}

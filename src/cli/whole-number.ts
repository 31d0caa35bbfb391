import { usageError } from './terminal.ts';

/** `flag` is, for example, `--limit`. */
export function parseWholeNumber(flag: string, text: string, from: number, to: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < from || value > to)
    throw usageError(`${flag} takes a whole number from ${from} to ${to}.`);
  return value;
}

export function taskNumber(text: string | undefined): number {
  const id = Number(text);
  if (text === undefined || text === '' || !Number.isSafeInteger(id) || id < 1)
    throw usageError(`"${text ?? ''}" is no task number.`, '"kennel task list" shows the numbers.');
  return id;
}

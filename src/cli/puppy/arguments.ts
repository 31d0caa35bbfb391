import { usageError } from '../terminal.ts';

// Arguments that several workflow commands share.

export interface BackendFlags {
  readonly json?: boolean;
  /** The own folder, even if a host runs. */
  readonly standalone?: boolean;
}

/** `null` arguments of commander arrive as empty text. */
export function requiredWord([word = '']: readonly string[], what: string): string {
  if (word !== '') return word;
  throw usageError(`Give ${what}.`);
}

/** A whole number not below `least`. */
export function wholeNumberFlag(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && Number.isSafeInteger(number)) return number;
  throw usageError(`${flag} takes a whole number of at least ${least}.`);
}

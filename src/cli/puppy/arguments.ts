import type { CliEnglish } from '../../language/cli-message.ts';
import { commandFailure } from '../terminal.ts';

// Arguments that several workflow commands share.

export interface BackendFlags {
  readonly json?: boolean;
  /** The own folder, even if a host runs. */
  readonly standalone?: boolean;
}

/** `Give a run.` and the like. */
type Demand = Extract<keyof CliEnglish['cliPuppy'], `give${string}`>;

/** `null` arguments of commander arrive as empty text. */
export function requiredWord([word = '']: readonly string[], demand: Demand): string {
  if (word !== '') return word;
  throw commandFailure('invalid_input', `cliPuppy.${demand}`);
}

/** A whole number not below `least`. */
export function wholeNumberFlag(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && Number.isSafeInteger(number)) return number;
  throw commandFailure('invalid_input', 'cliAgents.wholeAbove', { flag, least });
}

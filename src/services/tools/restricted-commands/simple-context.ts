/** Shared by the in-process commands: streams, paths and error reporting. */
import type { AppError } from '../../../contract/errors.ts';
import type { ParsedCommand } from '../../../core/policy/commands/parsed-command.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { Output } from './output.ts';
import { below } from './path-arguments.ts';

export interface SimpleContext {
  readonly files: ConfinedFiles;
  readonly command: ParsedCommand;
  readonly cwd: string;
  readonly out: Output;
  readonly errors: Output;
  readonly signal: AbortSignal;
}

/** Resolves with the exit code. */
export type BashSimpleCommand = (context: SimpleContext) => Promise<number>;

export const chunkBytes = 256 * 1024;
/** Maximum number of names that one recursive command reads. */
export const maxContextEntries = 20_000;

export const absolute = (context: SimpleContext, path: string): string => below(context.cwd, path);

export function complain(context: SimpleContext, path: string, error: AppError | string): 1 {
  const message = typeof error === 'string' ? error : error.message;
  context.errors.write(`${context.command.name}: ${path}: ${message}\n`);
  return 1;
}

/** The operands as written, or the working folder if none. */
export const operandsOrHere = ({ command }: SimpleContext): readonly string[] =>
  command.operands.length === 0 ? ['.'] : command.operands.map(({ text }) => text);

/** Runs all operands; returns the worst exit code. */
export async function forEachOperand(
  context: SimpleContext,
  run: (path: string, index: number) => Promise<number>,
): Promise<number> {
  let worst = 0;
  for (const [index, path] of operandsOrHere(context).entries()) {
    if (context.signal.aborted) return 1;
    worst = Math.max(worst, await run(path, index));
  }
  return worst;
}

const units = ['', 'K', 'M', 'G', 'T', 'P'];

export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.ceil(value)}${units[unit]}`;
}

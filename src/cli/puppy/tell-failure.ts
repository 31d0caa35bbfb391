import type { AppError } from '../../contract/errors.ts';
import { shownError } from '../copy.ts';
import { bugFailure } from '../failure.ts';
import { CommandFailure } from '../terminal.ts';
import { printable } from '../visible-text.ts';

/** Usage errors have the right format too, so this reads the words before the parser does. */
function wantsEnvelope([name, ...words]: readonly string[]): boolean {
  const mode = words.flatMap((word, at) =>
    word === '--mode' ? [words[at + 1]] : word.startsWith('--mode=') ? [word.slice(7)] : [],
  );
  if (words.includes('--json') || name === '--json' || mode.includes('tool')) return true;
  return name === 'resume' && mode.length === 0 && !process.stdout.isTTY;
}

function tell(error: AppError, tool: boolean, exitCode: number): number {
  if (tool) {
    const text = [error.message, error.hint].filter((part) => part !== undefined).join(' ');
    const type = exitCode === 2 ? 'parse_error' : 'runtime_error';
    const envelope = { protocolVersion: 1, ok: false, error: { type, message: text } };
    process.stdout.write(`${JSON.stringify(envelope, null, 2)}\n`);
  } else process.stderr.write(`${printable(shownError(error))}\n`);
  return exitCode;
}

/** Prints errors of workflow commands; programs get an envelope in English on standard output. */
export const tellWorkflowFailure = (error: unknown, argv: readonly string[]): number => {
  const tool = wantsEnvelope(argv);
  if (error instanceof CommandFailure) return tell(error.error, tool, error.exitCode);
  return tell(bugFailure(error).error, tool, 1);
};

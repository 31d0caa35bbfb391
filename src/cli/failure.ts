import { errorText } from '../contract/errors.ts';
import { CommandFailure, commandFailure, exitFailed, showFailure } from './terminal.ts';

/** An exception that no command expects. */
export const bugFailure = (error: unknown): CommandFailure =>
  commandFailure('internal', 'cliTerminal.bug', { why: errorText(error) });

/** Prints an error and returns its exit code. Any error other than `CommandFailure` is a bug. */
export function tellFailure(error: unknown, json: boolean): number {
  if (error instanceof CommandFailure) {
    showFailure(json, error.error, error.exitCode);
    return error.exitCode;
  }
  showFailure(json, bugFailure(error).error, exitFailed);
  return exitFailed;
}

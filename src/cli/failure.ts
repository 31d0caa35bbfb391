import { errorText } from '../contract/errors.ts';
import { CommandFailure, exitFailed, showFailure } from './terminal.ts';

/** Prints an error and returns its exit code. Any error other than `CommandFailure` is a bug. */
export function tellFailure(error: unknown, json: boolean): number {
  if (error instanceof CommandFailure) {
    showFailure(json, error.error, error.exitCode);
    return error.exitCode;
  }
  const message = errorText(error);
  showFailure(json, { code: 'internal', message: `That is a bug in Kennel: ${message}` }, exitFailed);
  return exitFailed;
}

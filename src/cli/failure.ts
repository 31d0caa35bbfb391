import { CommandFailure, exitFailed, showFailure } from './terminal.ts';

/** Says what went wrong, and the exit code for it. What is no `CommandFailure` is a bug. */
export function tellFailure(error: unknown, json: boolean): number {
  if (error instanceof CommandFailure) {
    showFailure(json, error.error, error.exitCode);
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  showFailure(json, { code: 'internal', message: `That is a bug in Kennel: ${message}` }, exitFailed);
  return exitFailed;
}

/** What a person sees when the host could not start: what happened, and the ways on. */
import type { AppError } from '../contract/errors.ts';
import { errorLines, type ShellPage } from './shell-pages.ts';

export const failurePath = '/notice';

export const failurePage = (error: AppError): ShellPage => ({
  title: 'Kennel did not start',
  lines: errorLines(error),
  buttons: [
    { action: 'again', label: 'Try again', main: true },
    { action: 'logs', label: 'Open the log' },
    { action: 'quit', label: 'Quit' },
  ],
});

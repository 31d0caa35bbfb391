/** Page shown if the host did not start: the error and the next steps. */

import type { AppError } from '../contract/errors.ts';
import { t } from '../language/texts.ts';
import { errorPageLines, type ShellPage } from './shell-pages.ts';

export const failurePath = '/notice';

export const failurePage = (error: AppError): ShellPage => ({
  title: t('shell.didNotStart'),
  lines: errorPageLines(error),
  buttons: [
    { action: 'again', label: t('shell.again'), main: true },
    { action: 'logs', label: t('shell.openLog') },
    { action: 'quit', label: t('shell.quit') },
  ],
});

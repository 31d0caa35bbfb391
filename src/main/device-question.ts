/**
 * Letting a device in hands over a copy of the root key, so it takes more than a click in the page: the app asks for it
 * in a dialog of its own, with the words that the host will compare (T22). One such dialog is open at a time.
 */

import { z } from 'zod';
import { appError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';

/** Whether a call of the page may go on to the host. */
export type AskPerson = (method: string, input: unknown) => Promise<Result<void>>;

const wordsOf = z.looseObject({ words: z.string().trim().toLowerCase() });
/** As they are derived from keys: nothing else is ever shown as such. */
const words = /^(?:[a-z]{5} ){5}[a-z]{5}$/;

const not = (message: string) => err(appError('cancelled', message));

/** `show`: true when the person says that these words are on the other device, too. */
export function createDeviceQuestion(show: (words: string) => Promise<boolean>): AskPerson {
  let open = false;
  return async (method, input) => {
    if (method !== 'devices.enrolApprove') return ok(undefined);
    const parsed = wordsOf.safeParse(input);
    if (!parsed.success || !words.test(parsed.data.words)) return not(t('shell.noDeviceWords'));
    if (open) return not(t('shell.askedAlready'));
    open = true;
    try {
      return (await show(parsed.data.words)) ? ok(undefined) : not(t('shell.deviceNotLetIn'));
    } finally {
      open = false;
    }
  };
}

/**
 * Approving a device gives it a copy of the root key, so a click in the page is not enough: the app shows its
 * own dialog with the words that the host compares (T22). Only one such dialog is open at a time.
 */

import { z } from 'zod';
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';

/** Decides whether a call of the page may reach the host. */
export type AskPerson = (method: string, input: unknown) => Promise<Result<void>>;

const wordsOf = z.looseObject({ words: z.string().trim().toLowerCase() });
/** Format of the words derived from keys; the dialog never shows other text as words. */
const words = /^(?:[a-z]{5} ){5}[a-z]{5}$/;

const not = (message: string) => err(textError('cancelled', message));

/** `show` resolves to true if the operator confirms that the other device shows the same words. */
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

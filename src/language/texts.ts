/**
 * The texts of the window and the tray in the person's language. `t('amounts.tokens', { count })` gives the message with
 * its values filled in by ICU rules; `setLanguage` changes the language for what is said from then on.
 */
import { createTranslator } from 'use-intl/core';
import { english } from './english.ts';
import type { Catalog } from './words.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const make = (language: Language, messages: typeof english) =>
  createTranslator({ locale: language, messages, timeZone: 'UTC' });
type Translate = ReturnType<typeof make>;

let spoken: Language = 'en';
export let t: Translate = make('en', english);

/** For `Intl`: numbers, dates and order follow the texts. */
export const locale = (): Language => spoken;

/** The first of the wanted languages (BCP 47) that there are texts in, else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base] = tag.toLowerCase().split('-');
    const found = (Object.keys(languages) as Language[]).find((one) => one === base);
    if (found) return found;
  }
  return 'en';
}

const load = async (language: Language): Promise<Catalog> =>
  language === 'de' ? (await import('./german.ts')).german : english;

export async function setLanguage(language: Language): Promise<void> {
  const catalog = await load(language);
  spoken = language;
  // Same keys; what differs is the text, which the types of the arguments are read from.
  t = make(language, catalog as unknown as typeof english);
}

/**
 * Localized texts of window and tray. `t('amounts.tokens', { count })` formats a message by ICU rules;
 * `setLanguage` changes the language of later calls.
 */
import { createTranslator } from 'use-intl/core';
import { english } from './english.ts';
import { createHostReader } from './host-sentences.ts';
import type { Catalog } from './words.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const make = (language: Language, messages: typeof english) =>
  createTranslator({ locale: language, messages, timeZone: 'UTC' });
type Translate = ReturnType<typeof make>;

let spoken: Language = 'en';
export let t: Translate = make('en', english);

/** Locale for `Intl`, so that numbers, dates and sorting match the texts. */
export const locale = (): Language => spoken;

/** First supported language of the wanted ones (BCP 47 tags), else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base] = tag.toLowerCase().split('-');
    const found = (Object.keys(languages) as Language[]).find((one) => one === base);
    if (found) return found;
  }
  return 'en';
}

let readHost: (text: string) => string | null = () => null;

/** Translates a sentence of the host, or returns it unchanged if unknown. */
export const localize = (text: string): string => readHost(text) ?? text;

interface Spoken {
  readonly catalog: Catalog;
  readonly host: typeof readHost;
}

async function load(language: Language): Promise<Spoken> {
  if (language === 'en') return { catalog: english, host: () => null };
  const [{ german }, { germanOfHost }] = await Promise.all([
    import('./german.ts'),
    import('./german/host-said.ts'),
  ]);
  return { catalog: german, host: createHostReader(germanOfHost, language) };
}

export async function setLanguage(language: Language): Promise<void> {
  const { catalog, host } = await load(language);
  spoken = language;
  readHost = host;
  // All catalogs have the same keys; only the texts differ, from which the argument types are inferred.
  t = make(language, catalog as unknown as typeof english);
}

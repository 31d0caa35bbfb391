/**
 * The texts of the window and the tray in the person's language. `t('amounts.tokens', { count })` gives the message with
 * its values filled in by ICU rules; `setLanguage` changes the language for what is said from then on.
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

let readHost: (text: string) => string | null = () => null;

/** What the host says, in the person's language where it is known there, else as the host says it. */
export const told = (text: string): string => readHost(text) ?? text;

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
  // Same keys; what differs is the text, which the types of the arguments are read from.
  t = make(language, catalog as unknown as typeof english);
}

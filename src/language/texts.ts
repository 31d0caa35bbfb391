/**
 * Localized texts of window and tray. `t('amounts.tokens', { count })` formats a message by ICU rules;
 * `setLanguage` changes the language of later calls.
 */
import { createTranslator } from 'use-intl/core';
import type { Language } from './choose-language.ts';
import { commandIn } from './command-in.ts';
import { english } from './english.ts';
import type { laterEnglish } from './english-later.ts';
import { type HostText, type MessageRef, renderText, withRef } from './host-message.ts';
import type { HostCatalog } from './host-part.ts';
import type { Catalog } from './words.ts';

type English = typeof english & typeof laterEnglish;

const make = (language: Language, messages: English) =>
  createTranslator({ locale: language, messages, timeZone: 'UTC' });
type Translate = ReturnType<typeof make>;

/** All catalogs have the same keys; only the texts differ, from which the argument types are inferred. */
let messages = english as unknown as English;
let spoken: Language = 'en';
export let t: Translate = make('en', messages);

/** Locale for `Intl`, so that numbers, dates and sorting match the texts. */
export const locale = (): Language => spoken;

let hostCatalog: HostCatalog | null = null;

/** A text of the host in the language of the window. */
export const localize = (text: HostText): string => renderText(text, hostCatalog, spoken);

interface ShownError {
  readonly message: string;
  readonly said?: MessageRef | undefined;
  readonly hint?: string | undefined;
  readonly help?: MessageRef | undefined;
}

/** The message of an error, or '' without one. */
export const localizeError = (error: ShownError | null | undefined): string =>
  localize(withRef(error?.message ?? '', error?.said));

/** The next step of an error, or '' if it has none or is a terminal command, which a button replaces. */
export function localizeHint(error: ShownError | null | undefined): string {
  const { hint = '', help } = error ?? {};
  const said = localize(withRef(hint, help));
  return commandIn(said) === null ? said : '';
}

interface Spoken {
  readonly catalog: Catalog | English;
  readonly hostCatalog: HostCatalog | null;
}

async function load(language: Language): Promise<Spoken> {
  if (language === 'en') return { catalog: messages, hostCatalog: null };
  const [{ german }, { hostGerman }] = await Promise.all([import('./german.ts'), import('./german/host.ts')]);
  return { catalog: german, hostCatalog: hostGerman };
}

export async function setLanguage(language: Language): Promise<void> {
  const { catalog, hostCatalog: texts } = await load(language);
  spoken = language;
  hostCatalog = texts;
  t = make(language, catalog as unknown as English);
}

/** Loads the English texts of the pages that load later; those of other languages come with their catalog. */
export async function loadLaterTexts(): Promise<void> {
  const { laterEnglish } = await import('./english-later.ts');
  messages = { ...english, ...laterEnglish };
  if (spoken === 'en') t = make('en', messages);
}

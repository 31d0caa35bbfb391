/**
 * Localized texts of window and tray. `t('amounts.tokens', { count })` formats a message by ICU rules;
 * `setLanguage` changes the language of later calls.
 */
import { createTranslator } from 'use-intl/core';
import type { Language } from './choose-language.ts';
import { commandIn } from './command-in.ts';
import { english } from './english.ts';
import { type HostText, type MessageRef, renderText, withRef } from './host-message.ts';
import type { HostCatalog } from './host-part.ts';
import type { Catalog } from './words.ts';

const make = (language: Language, messages: typeof english) =>
  createTranslator({ locale: language, messages, timeZone: 'UTC' });
type Translate = ReturnType<typeof make>;

let spoken: Language = 'en';
export let t: Translate = make('en', english);

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
  readonly catalog: Catalog;
  readonly hostCatalog: HostCatalog | null;
}

async function load(language: Language): Promise<Spoken> {
  if (language === 'en') return { catalog: english, hostCatalog: null };
  const [{ german }, { hostGerman }] = await Promise.all([import('./german.ts'), import('./german/host.ts')]);
  return { catalog: german, hostCatalog: hostGerman };
}

export async function setLanguage(language: Language): Promise<void> {
  const { catalog, hostCatalog: texts } = await load(language);
  spoken = language;
  hostCatalog = texts;
  // All catalogs have the same keys; only the texts differ, from which the argument types are inferred.
  t = make(language, catalog as unknown as typeof english);
}

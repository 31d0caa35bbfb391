/**
 * Localized texts of window and tray. `t('amounts.tokens', { count })` formats a message by ICU rules;
 * `setLanguage` changes the language of later calls.
 */
import { createTranslator } from 'use-intl/core';
import type { Language } from './choose-language.ts';
import { commandIn } from './command-in.ts';
import { english } from './english.ts';
import {
  englishText,
  findTemplate,
  type HostText,
  type MessageRef,
  renderTemplate,
  withRef,
} from './host-message.ts';
import type { HostCatalog } from './host-part.ts';
import { createHostReader } from './host-sentences.ts';
import type { Catalog } from './words.ts';

const make = (language: Language, messages: typeof english) =>
  createTranslator({ locale: language, messages, timeZone: 'UTC' });
type Translate = ReturnType<typeof make>;

let spoken: Language = 'en';
export let t: Translate = make('en', english);

/** Locale for `Intl`, so that numbers, dates and sorting match the texts. */
export const locale = (): Language => spoken;

let readHost: (text: string) => string | null = () => null;
let hostCatalog: HostCatalog | null = null;

/** Renders a text of the host, in English if the catalog lacks it. */
export function localize(text: HostText): string {
  if (typeof text === 'string') return readHost(text) ?? text;
  const template = findTemplate(hostCatalog, text.key);
  return template === undefined
    ? englishText(text)
    : renderTemplate(template, text.values ?? {}, spoken, localizeValue);
}

/** A plain value is text of a program or a person, even if it reads like a sentence of the host (T8). */
const localizeValue = (value: HostText): string => (typeof value === 'string' ? value : localize(value));

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
  readonly host: typeof readHost;
  readonly hostCatalog: HostCatalog | null;
}

async function load(language: Language): Promise<Spoken> {
  if (language === 'en') return { catalog: english, host: () => null, hostCatalog: null };
  const [{ german }, { germanCatalog, germanOfHost }] = await Promise.all([
    import('./german.ts'),
    import('./german/host-said.ts'),
  ]);
  return { catalog: german, host: createHostReader(germanOfHost, language), hostCatalog: germanCatalog };
}

export async function setLanguage(language: Language): Promise<void> {
  const { catalog, host, hostCatalog: texts } = await load(language);
  spoken = language;
  readHost = host;
  hostCatalog = texts;
  // All catalogs have the same keys; only the texts differ, from which the argument types are inferred.
  t = make(language, catalog as unknown as typeof english);
}

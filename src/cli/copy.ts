import { errorLines } from '../contract/error-text.ts';
import { type AppError, messageOf } from '../contract/errors.ts';
import { chooseLanguage } from '../language/choose-language.ts';
import { type CliKey, cliMessage, type GivenValues } from '../language/cli-message.ts';
import { type HostText, renderText, type Templates, withRef } from '../language/host-message.ts';

// Texts of commands in the language of the environment. `--json`, logs and scripts get English.

interface Reader {
  readonly locale: string;
  readonly catalog: Templates;
}

/** `null` reads English, which every message carries. */
let reader: Reader | null = null;

const catalogs = {
  de: async () => (await import('../language/german/command-line.ts')).germanOfCommands,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** BCP 47 tags by the rules of POSIX: `LC_ALL`, `LC_MESSAGES`, `LANG`; `LANGUAGE` lists preferences. */
export function wantedLanguages(env: Environment): readonly string[] {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || 'C';
  if (/^(?:C|POSIX)(?:\.|$)/.test(locale)) return [];
  return [...(env.LANGUAGE ?? '').split(':'), locale]
    .filter((name) => name !== '')
    .map((name) => name.replace(/[.@].*$/, '').replaceAll('_', '-'));
}

/** Loads the catalog of the language; English needs none. */
export async function loadLanguage(env: Environment): Promise<void> {
  const language = chooseLanguage(wantedLanguages(env));
  reader = language === 'en' ? null : { locale: language, catalog: await catalogs[language]() };
}

/** The text in the reader's language. */
export const shown = (text: HostText): string =>
  renderText(text, reader?.catalog ?? null, reader?.locale ?? 'en');

/** A text of the catalog in the reader's language. */
export const copy = <Key extends CliKey>(key: Key, ...values: GivenValues<Key>): string =>
  shown(cliMessage(key, ...values));

/** Sentence and hint of an error in the reader's language; `indent` precedes every line except the first. */
export const shownError = (error: Omit<AppError, 'code'>, indent = ''): string =>
  errorLines(
    {
      message: shown(messageOf(error)),
      where: error.where,
      hint: error.hint === undefined ? undefined : shown(withRef(error.hint, error.help)),
    },
    indent,
  );

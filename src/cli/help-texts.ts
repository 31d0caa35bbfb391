import { chooseLanguage, type Language } from '../language/choose-language.ts';
import type { general } from '../language/english/help/general.ts';
import { englishHelp } from '../language/english/help.ts';
import type { CommandHelp, HelpPart, Translated } from '../language/help-part.ts';
import { fillSlots } from '../language/host-message.ts';
import { type CommandSpec, type Noun, type OptionSpec, optionName } from './command.ts';
import { wantedLanguages } from './copy.ts';

// Texts of help and completion, loaded when one of them is printed.

export type GeneralHelp = Translated<typeof general>;

/** Texts of the commands of one noun. */
export interface NounHelp {
  readonly general: GeneralHelp;
  /** Words of a command, for example `task add`. */
  path(spec: CommandSpec): string;
  command(spec: CommandSpec): CommandHelp;
  option(spec: CommandSpec, option: Pick<OptionSpec, 'flags'>): string;
}

type HelpCatalog = {
  readonly [Part in keyof typeof englishHelp]: () => Promise<
    Translated<Awaited<ReturnType<(typeof englishHelp)[Part]>>>
  >;
};

const catalogs: Readonly<Record<Language, () => Promise<HelpCatalog>>> = {
  en: async () => englishHelp,
  de: async () => (await import('../language/german/help.ts')).germanHelp,
};

export const helpLanguage = (): Language => chooseLanguage(wantedLanguages(process.env));

export const loadGeneralHelp = async (language: Language): Promise<GeneralHelp> =>
  (await catalogs[language]()).general();

export async function loadNounHelp(noun: Noun, language: Language): Promise<NounHelp> {
  const catalog = await catalogs[language]();
  const [general, part]: [GeneralHelp, HelpPart] = await Promise.all([
    catalog.general(),
    catalog[noun.help](),
  ]);
  const common: Readonly<Record<string, string>> = general.commonOptions;
  const path = ({ verb }: CommandSpec): string => `${noun.name} ${verb}`.trimEnd();
  const command = (spec: CommandSpec): CommandHelp => {
    const found = part[path(spec)];
    if (found === undefined) throw new Error(`The catalog lacks the help of "${path(spec)}".`);
    return found;
  };
  return {
    general,
    path,
    command,
    option(spec, option) {
      const name = optionName(option);
      const found = command(spec).options?.[name] ?? common[name];
      if (found === undefined) throw new Error(`The catalog lacks ${name} of "${path(spec)}".`);
      return found;
    },
  };
}

/** Notes after the summary of an option, for example `default 50`. */
export function optionNotes(general: GeneralHelp, option: OptionSpec): readonly string[] {
  const { fallback, isRepeatable, isRequired } = option;
  return [
    ...(isRequired ? [general.required] : []),
    ...(isRepeatable ? [general.repeatable] : []),
    ...(fallback === undefined ? [] : [fillSlots(general.fallback, { value: fallback }, 'en', String)]),
  ];
}

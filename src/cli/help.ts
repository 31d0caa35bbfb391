import { type Command, Help } from 'commander';
import { type CommandSpec, commandGroups, commandOptions, type Noun, optionName } from './command.ts';
import {
  type GeneralHelp,
  helpLanguage,
  loadGeneralHelp,
  loadNounHelp,
  type NounHelp,
  optionNotes,
} from './help-texts.ts';
import { nouns } from './registry.ts';

// Help texts: the overview of all nouns in groups, and the options and examples of a noun or command.

/** Subject of a help text: a command, a noun without a command, or `kennel` itself. */
export interface HelpTopic {
  readonly command: Command;
  readonly noun: Noun | null;
  readonly spec: CommandSpec | null;
}

type Example = readonly [line: string, what: string];

const overviewExamples = [
  'start --demo',
  'agent create helper --role "Answers questions"',
  'chat send --to helper "Hello" --wait',
] as const;

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

const pair = (lines: readonly string[], texts: readonly string[]): readonly Example[] =>
  lines.map((line, at) => [line, texts[at] ?? '']);

const examplesText = (examples: readonly Example[]): string =>
  indented(examples.flatMap(([line, what]) => [`# ${what}`, `$ ${`kennel ${line}`.trimEnd()}`]));

const commandExamples = (help: NounHelp, spec: CommandSpec): readonly Example[] =>
  pair(spec.examples, help.command(spec).examples);

/** Examples of a noun without an action: the first one of each of its first commands. */
const nounExamples = (help: NounHelp, specs: readonly CommandSpec[]): readonly Example[] =>
  specs.slice(0, 3).flatMap((spec) => commandExamples(help, spec).slice(0, 1));

/** Verbs below the summary, cut into lines of `width`. */
function wrapVerbs(verbs: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const verb of verbs) {
    const last = lines.at(-1);
    const longer = last === undefined ? verb : `${last}, ${verb}`;
    if (last === undefined || longer.length > width) lines.push(verb);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line},` : line));
}

/** `kennel --help`. */
function overview(general: GeneralHelp, helper: Help): string {
  const width = Math.max(...nouns.map(({ name }) => name.length)) + 2;
  const verbsWidth = Math.max(40, (helper.helpWidth ?? 80) - width - 3);
  const rows = (group: string): readonly string[] =>
    nouns
      .filter((noun) => noun.group === group)
      .flatMap(({ name, verbs }) => [
        `${helper.styleSubcommandText(name.padEnd(width))}${general.nouns[name]}`,
        ...wrapVerbs(verbs, verbsWidth).map((line) => `${' '.repeat(width)}${helper.styleOptionText(line)}`),
      ]);
  return [
    general.about,
    `${helper.styleTitle(general.usage)} ${general.usageLine}`,
    ...commandGroups.map(
      (group) => `${helper.styleTitle(`${general.groups[group]}:`)}\n${indented(rows(group))}`,
    ),
    `${helper.styleTitle(general.examples)}\n${examplesText(pair(overviewExamples, general.overviewExamples))}`,
    `${general.more}\n`,
  ].join('\n\n');
}

/** Help of one command, as commander writes it, in the words of the catalog and with examples. */
function formatCommand(
  command: Command,
  helper: Help,
  general: GeneralHelp,
  examples: readonly Example[],
): string {
  const text = Help.prototype.formatHelp.call(helper, command, helper);
  return `${text.trimEnd()}\n\n${helper.styleTitle(general.examples)}\n${examplesText(examples)}\n`;
}

/** Columns of terms. A longer term has a line of its own, so that the descriptions of the others stay readable. */
const termWidth = 32;

/** commander's own texts in the words of the catalog, in two columns of at most 80 characters. */
function commanderTexts(general: GeneralHelp): Partial<Help> {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': general.usage,
    'Options:': general.options,
    'Commands:': general.commands,
  };
  const format = Help.prototype;
  return {
    minWidthToWrap: 20,
    styleTitle: (title) => titles[title] ?? title,
    commandUsage: (command) =>
      format
        .commandUsage(command)
        .replace('[options]', general.optionsSlot)
        .replace('[command]', general.commandSlot),
    // All commands take options, at least `--json`.
    subcommandTerm: (command) =>
      format.subcommandTerm(command).replace(' [options]', '').replace('[command]', general.commandSlot),
    optionDescription: ({ description }) => description,
    padWidth: (command, helper) => Math.min(termWidth, format.padWidth.call(helper, command, helper)),
    formatItem(term, width, description, helper) {
      if (helper.displayWidth(term) <= width)
        return format.formatItem.call(helper, term, width, description, helper);
      return `  ${term}\n${format.formatItem.call(helper, '', width, description, helper)}`;
    },
  };
}

function describeCommand(command: Command, help: NounHelp, spec: CommandSpec): void {
  const { summary } = help.command(spec);
  command.summary(summary).description(`${summary}.`);
  command.helpOption('-h, --help', help.general.commonOptions['--help']);
  for (const option of commandOptions(spec)) {
    const notes = optionNotes(help.general, option);
    const text = [help.option(spec, option), ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`])].join(
      ' ',
    );
    for (const parsed of command.options) if (parsed.long === optionName(option)) parsed.description = text;
  }
}

async function describeNoun({ command, noun, spec }: HelpTopic & { readonly noun: Noun }): Promise<void> {
  const help = await loadNounHelp(noun, helpLanguage());
  const { general } = help;
  const specs = await noun.load();
  const own = spec ?? specs.find(({ verb }) => verb === '');
  if (own) describeCommand(command, help, own);
  else
    command
      .description(`${general.nouns[noun.name]}.`)
      .helpOption('-h, --help', general.commonOptions['--help']);
  for (const each of specs) {
    const found = command.commands.find((one) => one.name() === each.verb);
    if (found) describeCommand(found, help, each);
  }
  if (!own) command.helpCommand('help [command]', general.commonOptions['--help']);
  const examples = own ? commandExamples(help, own) : nounExamples(help, specs);
  command.configureHelp({
    ...commanderTexts(general),
    formatHelp: (each, helper) => formatCommand(each, helper, general, examples),
  });
}

/** Help in the language of the environment. `error` prints it in place of a missing command. */
export async function helpText(topic: HelpTopic, error: boolean): Promise<string> {
  const { command, noun } = topic;
  if (noun) await describeNoun({ ...topic, noun });
  else {
    const general = await loadGeneralHelp(helpLanguage());
    command.configureHelp({ formatHelp: (_, helper) => overview(general, helper) });
  }
  return command.helpInformation({ error });
}

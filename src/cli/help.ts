import { type Command, Help } from 'commander';
import { type CommandSpec, commandGroups, type Example, type Noun } from './command.ts';

// Help texts: the overview of all nouns in groups, and the examples below the help of a command.

const overviewExamples: readonly Example[] = [
  ['start --demo', 'Try Kennel with two scripted agents, without an account'],
  ['agent create helper --role "Answers questions"', 'Create an agent'],
  ['chat send --to helper "Hello" --wait', 'Write to it and print the answer'],
];

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

export const examplesText = (examples: readonly Example[]): string =>
  indented(examples.flatMap(([line, what]) => [`# ${what}`, `$ ${`kennel ${line}`.trimEnd()}`]));

/** Examples of a noun without an action: the first one of each of its first commands. */
export function nounExamples(specs: readonly CommandSpec[]): readonly Example[] {
  const own = specs.find(({ verb }) => verb === '');
  return own ? own.examples : specs.slice(0, 3).map(({ examples }) => examples[0]);
}

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
export function overview(nouns: readonly Noun[], helper: Help): string {
  const width = Math.max(...nouns.map(({ name }) => name.length)) + 2;
  const verbsWidth = Math.max(40, (helper.helpWidth ?? 80) - width - 3);
  const rows = (group: string): readonly string[] =>
    nouns
      .filter((noun) => noun.group === group)
      .flatMap(({ name, summary, verbs }) => [
        `${helper.styleSubcommandText(name.padEnd(width))}${summary}`,
        ...wrapVerbs(verbs, verbsWidth).map((line) => `${' '.repeat(width)}${helper.styleOptionText(line)}`),
      ]);
  return [
    'Run your agents, and connect them to the Puffo team chat, end-to-end encrypted.',
    `${helper.styleTitle('Usage:')} kennel COMMAND [options]`,
    ...commandGroups.map((group) => `${helper.styleTitle(`${group}:`)}\n${indented(rows(group))}`),
    `${helper.styleTitle('Examples:')}\n${examplesText(overviewExamples)}`,
    'Run "kennel COMMAND --help" for the options and examples of a command.\n',
  ].join('\n\n');
}

/** Help of one command, as commander writes it, with examples. */
export function commandHelp(command: Command, helper: Help, examples: readonly Example[]): string {
  const text = Help.prototype.formatHelp.call(helper, command, helper);
  return `${text.trimEnd()}\n\n${helper.styleTitle('Examples:')}\n${examplesText(examples)}\n`;
}

/** docs/cli.md from the registry of commands. */
import { type CommandSpec, commandGroups } from '../../src/cli/command.ts';
import { loadGeneralHelp, loadNounHelp, type NounHelp, optionNotes } from '../../src/cli/help-texts.ts';
import { nouns } from '../../src/cli/registry.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

function commandText(name: string, spec: CommandSpec, help: NounHelp): readonly string[] {
  const { args = '', options = [], examples, isDefault, alias } = spec;
  const { summary, examples: purposes } = help.command(spec);
  const line = `kennel ${help.path(spec)}`;
  const also = [
    ...(isDefault ? [` \`kennel ${name}\` alone does the same.`] : []),
    ...(alias === undefined ? [] : [` Also \`kennel ${name} ${alias}\`.`]),
  ].join('');
  const rows = options.map((option) => {
    const notes = optionNotes(help.general, option);
    const text = `${cell(help.option(spec, option))}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
    return `| \`${option.flags.replaceAll('|', '\\|')}\` | ${text} |`;
  });
  return [
    `### ${line}`,
    '',
    `\`${`${line} ${args}`.trimEnd()}\`: ${cell(summary)}.${also}`,
    '',
    ...(rows.length === 0 ? [] : ['| Option | |', '| --- | --- |', ...rows, '']),
    '```sh',
    ...examples.flatMap((example, at) => [`# ${purposes[at]}`, `kennel ${example}`]),
    '```',
    '',
  ];
}

export async function cliReference(): Promise<string> {
  const general = await loadGeneralHelp('en');
  const lines: string[] = [
    '# Commands',
    '',
    'Written by `node scripts/cli-reference.ts` from `src/cli/commands` and `src/language/english/help`; do not edit. `kennel --help` and',
    '`kennel COMMAND --help` print the same. Every command takes `--json` ([in scripts](user-guide.md#in-scripts)).',
    '',
  ];
  for (const group of commandGroups) {
    const own = nouns.filter((noun) => noun.group === group);
    lines.push(`- **${general.groups[group]}**: ${own.map(({ name }) => `\`${name}\``).join(' · ')}`);
  }
  lines.push('');
  for (const group of commandGroups) {
    lines.push(`## ${general.groups[group]}`, '');
    for (const noun of nouns.filter((each) => each.group === group)) {
      const help = await loadNounHelp(noun, 'en');
      for (const spec of await noun.load()) lines.push(...commandText(noun.name, spec, help));
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

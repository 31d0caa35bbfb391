/** docs/cli.md from the registry of commands. */
import { type CommandSpec, commandGroups, type Noun, type OptionSpec } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/registry.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

function optionRow({ flags, summary, fallback, isRepeatable, isRequired }: OptionSpec): string {
  const notes = [
    ...(isRequired ? ['required'] : []),
    ...(isRepeatable ? ['repeatable'] : []),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
  ];
  return `| \`${flags.replaceAll('|', '\\|')}\` | ${cell(summary)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`} |`;
}

function commandText({ name }: Noun, spec: CommandSpec): readonly string[] {
  const { verb, args = '', options = [], examples, isDefault, alias } = spec;
  const line = ['kennel', name, verb].filter((word) => word !== '').join(' ');
  const also = [
    ...(isDefault ? [` \`kennel ${name}\` alone does the same.`] : []),
    ...(alias === undefined ? [] : [` Also \`kennel ${name} ${alias}\`.`]),
  ].join('');
  const rows = options.map(optionRow);
  return [
    `### ${line}`,
    '',
    `\`${`${line} ${args}`.trimEnd()}\`: ${cell(spec.summary)}.${also}`,
    '',
    ...(rows.length === 0 ? [] : ['| Option | |', '| --- | --- |', ...rows, '']),
    '```sh',
    ...examples.flatMap(([example, what]) => [`# ${what}`, `kennel ${example}`]),
    '```',
    '',
  ];
}

export async function cliReference(): Promise<string> {
  const lines: string[] = [
    '# Commands',
    '',
    'Written by `node scripts/cli-reference.ts` from the definitions in `src/cli/commands`; do not edit. `kennel --help` and',
    '`kennel COMMAND --help` print the same. Every command takes `--json` ([in scripts](user-guide.md#in-scripts)).',
    '',
  ];
  for (const group of commandGroups) {
    const own = nouns.filter((noun) => noun.group === group);
    lines.push(`- **${group}**: ${own.map(({ name }) => `\`${name}\``).join(' · ')}`);
  }
  lines.push('');
  for (const group of commandGroups) {
    lines.push(`## ${group}`, '');
    for (const noun of nouns.filter((each) => each.group === group))
      for (const spec of await noun.load()) lines.push(...commandText(noun, spec));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

import { describe, expect, it, vi } from 'vitest';
import { type CommandSpec, commandGroups, type Noun } from './command.ts';
import { buildProgram } from './command-parser.ts';
import { helpText } from './help.ts';
import { type GeneralHelp, loadGeneralHelp, loadNounHelp } from './help-texts.ts';
import { nouns } from './registry.ts';
import { UsageError } from './usage-errors.ts';

const loaded = await Promise.all(nouns.map(async (noun) => ({ noun, specs: await noun.load() })));
const commands = loaded.flatMap(({ noun, specs }) =>
  specs.map((spec) => ({ name: `${noun.name} ${spec.verb}`.trim(), noun, spec })),
);

/** The same commands without their actions. */
const harmless: readonly Noun[] = loaded.map(({ noun, specs }) => ({
  ...noun,
  load: async () => specs.map((spec): CommandSpec => ({ ...spec, run: async () => 0 })),
}));

/** Words of a shell line up to a pipe, a redirection or another command. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const end = words.findIndex((word) => ['|', '||', '&&', '>', '>>', '<'].includes(word));
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}

/** Help, or an empty text if the line runs a command. */
async function parse(line: string): Promise<string> {
  const argv = wordsOf(line);
  const program = await buildProgram(argv, { version: '1.2.3', json: true, code: 1 }, harmless);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return '';
  } catch (error) {
    if (!(error instanceof UsageError) || error.parserError.exitCode !== 0) throw error;
    return helpText(error.topic, false);
  }
}

const general: GeneralHelp = await loadGeneralHelp('en');

describe('Command registry', () => {
  it('names every verb of every noun for the overview', () => {
    for (const { noun, specs } of loaded)
      expect(
        specs.map(({ verb }) => verb).filter((verb) => verb !== ''),
        noun.name,
      ).toEqual(noun.verbs);
  });

  it('lists each noun once, and the nouns of a group together', () => {
    expect(new Set(nouns.map(({ name }) => name)).size).toBe(nouns.length);
    const groups = nouns.map(({ group }) => group);
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual(commandGroups);
  });

  it.each(commands)(
    'prints help with summary, options and three examples: $name',
    async ({ name, noun, spec }) => {
      const help = await parse(`${name} --help`);
      const { summary, examples } = (await loadNounHelp(noun, 'en')).command(spec);
      expect(help).toContain(`Usage: kennel ${name}`);
      expect(help).toContain(summary.slice(0, 40));
      for (const { flags } of spec.options ?? []) expect(help).toContain(flags);
      expect(new Set(spec.examples).size).toBe(3);
      for (const [at, line] of spec.examples.entries())
        expect(help).toContain(`# ${examples[at]}\n  $ kennel ${line}`);
    },
  );

  it.each(['C', 'de_DE.UTF-8'])(
    'prints help within 80 columns, except for flags and examples: %s',
    async (locale) => {
      vi.stubEnv('LC_ALL', locale);
      for (const line of ['', ...nouns.map(({ name }) => name), ...commands.map(({ name }) => name)]) {
        const help = await parse(`${line} --help`.trimStart());
        const long = help
          .split('\n')
          .filter((each) => each.length > 80 && !/^ {2}(?:\$ kennel .*|--\S+ \S+)$/.test(each));
        expect(long, line).toEqual([]);
      }
      vi.unstubAllEnvs();
    },
  );

  it.each(commands)('gives only examples that the parser accepts: $name', async ({ spec }) => {
    for (const line of spec.examples) await expect(parse(line), line).resolves.toBeDefined();
  });

  it.each(loaded)('prints help of a noun: $noun.name', async ({ noun, specs }) => {
    const help = await parse(`${noun.name} --help`);
    const texts = await loadNounHelp(noun, 'en');
    for (const spec of specs)
      if (spec.verb !== '') expect(help).toContain(texts.command(spec).summary.split(' ')[0]);
    expect(help).toContain('Examples:');
  });

  it('prints an overview in groups with all nouns and verbs', async () => {
    const help = await parse('--help');
    for (const group of commandGroups) expect(help).toContain(`\n${general.groups[group]}:\n`);
    const flat = help.replace(/\s+/g, ' ');
    for (const { name, verbs } of nouns) {
      expect(flat).toContain(`${name} ${general.nouns[name]}`);
      expect(flat).toContain(verbs.join(', '));
    }
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

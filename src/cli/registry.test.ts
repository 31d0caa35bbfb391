import { describe, expect, it } from 'vitest';
import { type CommandSpec, commandGroups, type Noun } from './command.ts';
import { buildProgram, type Invocation } from './program.ts';
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

async function parse(line: string): Promise<Invocation> {
  const argv = wordsOf(line);
  const invocation: Invocation = { version: '1.2.3', json: true, help: '', code: 1 };
  const program = await buildProgram(argv, invocation, harmless);
  await program.parseAsync(argv, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof UsageError) || error.parserError.exitCode !== 0) throw error;
  });
  return invocation;
}

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

  it.each(commands)('prints help with summary, options and three examples: $name', async ({ name, spec }) => {
    const { help } = await parse(`${name} --help`);
    expect(help).toContain(`Usage: kennel ${name}`);
    expect(help).toContain(spec.summary.slice(0, 40));
    for (const { flags } of spec.options ?? []) expect(help).toContain(flags);
    expect(new Set(spec.examples.map(([line]) => line)).size).toBe(3);
    for (const [line] of spec.examples) expect(help).toContain(`$ kennel ${line}`);
  });

  it.each(commands)('gives only examples that the parser accepts: $name', async ({ spec }) => {
    for (const [line] of spec.examples) await expect(parse(line), line).resolves.toBeDefined();
  });

  it.each(loaded)('prints help of a noun: $noun.name', async ({ noun, specs }) => {
    const { help } = await parse(`${noun.name} --help`);
    for (const { summary, verb } of specs) if (verb !== '') expect(help).toContain(summary.split(' ')[0]);
    expect(help).toContain('Examples:');
  });

  it('prints an overview in groups with all nouns and verbs', async () => {
    const { help } = await parse('--help');
    for (const group of commandGroups) expect(help).toContain(`\n${group}:\n`);
    const flat = help.replace(/\s+/g, ' ');
    for (const { name, summary, verbs } of nouns) {
      expect(flat).toContain(`${name} ${summary}`);
      expect(flat).toContain(verbs.join(', '));
    }
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

import { describe, expect, test } from 'vitest';
import { type CommandSpec, commandOptions, type Noun, optionName } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/registry.ts';
import { englishHelp } from '../../src/language/english/help.ts';
import { germanHelp } from '../../src/language/german/help.ts';
import type { HelpPart } from '../../src/language/help-part.ts';

const { general: loadGeneral, ...loadParts } = englishHelp;
const { general: loadGermanGeneral, ...loadGermanParts } = germanHelp;
const english = await loadGeneral();
const german = await loadGermanGeneral();

const commands: readonly { noun: Noun; spec: CommandSpec; path: string }[] = (
  await Promise.all(
    nouns.map(async (noun) =>
      (await noun.load()).map((spec) => ({ noun, spec, path: `${noun.name} ${spec.verb}`.trimEnd() })),
    ),
  )
).flat();

const parts: readonly (readonly [name: string, english: HelpPart, german: HelpPart])[] = await Promise.all(
  Object.entries(loadParts).map(
    async ([name, load]) =>
      [name, await load(), await loadGermanParts[name as keyof typeof loadGermanParts]()] as const,
  ),
);

/** Texts by their path, for example `task add.options.--due`. */
function textsOf(catalog: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(catalog).flatMap(([key, value]: [string, string | object]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as const] : textsOf(value, `${path}${key}.`),
  );
}

/** Flags, slots, variables and paths in a text, which are the same in all languages. */
const typed = (text: string): readonly string[] =>
  [...text.matchAll(/(?<!\w)--[a-z][a-z-]*|\{+\w+\}+|\b[A-Z]+(?:_[A-Z]+)+\b|~\/\S+\w/g)].map(
    ([found]) => found,
  );

describe('Help of the command line', () => {
  test.each(parts)('has the texts of each command, and no others: %s', (name, texts) => {
    const own = commands.filter(({ noun }) => noun.help === name);
    expect(Object.keys(texts).sort()).toEqual(own.map(({ path }) => path).sort());
    for (const { path, spec } of own) {
      const named = Object.keys(texts[path]?.options ?? {});
      const options = commandOptions(spec).map(optionName);
      expect(options, path).toEqual(expect.arrayContaining(named));
      expect(
        options.filter((option) => !named.includes(option) && !(option in english.commonOptions)),
        path,
      ).toEqual([]);
    }
  });

  test('has a common text only for options that several commands take, in place of texts of their own', () => {
    for (const [option, text] of Object.entries(english.commonOptions)) {
      const takers = commands.filter(({ spec }) =>
        commandOptions(spec).some((one) => optionName(one) === option),
      );
      const own = takers.flatMap(({ noun, path }) => {
        const part = parts.find(([name]) => name === noun.help)?.[1];
        return part?.[path]?.options?.[option] ?? [];
      });
      expect(own, option).not.toContain(text);
      if (option !== '--help') expect(takers.length - own.length, option).toBeGreaterThan(1);
    }
  });

  test('names each noun', () => {
    expect(Object.keys(english.nouns)).toEqual(nouns.map(({ name }) => name));
  });

  test('is complete and translated in German', () => {
    const pick = (at: 1 | 2): object => Object.fromEntries(parts.map((part) => [part[0], part[at]]));
    const texts = textsOf({ general: english, ...pick(1) });
    const other = new Map(textsOf({ general: german, ...pick(2) }));
    expect([...other.keys()]).toEqual(texts.map(([path]) => path));
    for (const [path, text] of texts) expect(typed(other.get(path) ?? ''), path).toEqual(typed(text));
    const shared: readonly string[] = [];
    const same = texts.filter(([path, text]) => other.get(path) === text && !shared.includes(path));
    expect(same).toEqual([]);
  });

  test('is in the catalogs alone: no field of a command holds a sentence', () => {
    const shape: Readonly<Record<string, RegExp>> = {
      verb: /^[a-z-]*$/,
      args: /^[<[][^>\]]+[>\]]( [<[][^>\]]+[>\]])*$/,
      alias: /^[a-z-]+$/,
      progress: /^cliProgress\.\w+$/,
      flags: /^(-\w, )?--[a-z-]+( [<[][^\s>\]]+[>\]])?$/,
      fallback: /^\S+$/,
    };
    const names: readonly string[] = nouns.map(({ name }) => name);
    for (const { noun, path, spec } of commands) {
      for (const example of spec.examples) expect([...names, '--version']).toContain(example.split(' ')[0]);
      const { options = [], examples, run, ...fields } = spec;
      for (const [name, value] of [fields, ...options].flatMap((each) => Object.entries(each)))
        if (typeof value === 'string') expect(value, `${path}: ${name}`).toMatch(shape[name] ?? /^$/);
      expect(noun.verbs.every((verb) => /^[a-z-]+$/.test(verb))).toBe(true);
    }
  });
});

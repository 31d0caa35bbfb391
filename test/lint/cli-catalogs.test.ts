// biome-ignore-all lint/suspicious/noTemplateCurlyInString: samples of source text
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allKeys, unusedKeys } from '../../scripts/unused-texts.ts';
import { cliEnglish } from '../../src/language/english/cli.ts';
import { cliGerman } from '../../src/language/german/cli.ts';
import { slotNames } from '../../src/language/host-message.ts';

const textsOf = (catalog: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(catalog).flatMap(([area, texts]) =>
      Object.entries(texts as Record<string, string>).map(
        ([name, text]) => [`${area}.${name}`, text] as const,
      ),
    ),
  );

const folder = path.resolve(import.meta.dirname, '../../src/cli');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'));

const english = textsOf(cliEnglish);
const german = textsOf(cliGerman);

/** Words that German shares with English. */
const shared: readonly string[] = [
  'cliAgents.dot_offline',
  'cliAgents.label_image',
  'cliAgents.label_name',
  'cliAgents.label_problem',
  'cliAgents.label_server',
  'cliApprovals.surface_chat',
  'cliApprovals.surface_editor',
  'cliApprovals.surface_host',
  'cliApprovals.surface_terminal',
  'cliBridge.socket',
  'cliBridge.token',
  'cliHeads.agent',
  'cliHeads.name',
  'cliHeads.space',
  'cliHeads.version',
  'cliHost.passphrase',
  'cliImages.image',
  'cliPs.sandbox',
  'cliSchedules.label_problem',
  'cliSchedules.problem',
  'cliSkills.commit',
  'cliSkills.place_folder',
  'cliSkills.place_system',
  'cliSpaces.agent',
  'cliSpaces.person',
  'cliSpaces.role_admin',
  'cliStart.server',
  'cliStatus.vault_passphrase',
  'cliTasks.label_agent',
  'cliTasks.label_budget',
  'cliUsage.budget',
  'cliWork.kind_retry',
];

describe('Catalogs of the command line', () => {
  test('have the same keys with the same slots', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of english)
      expect({ key, slots: slotNames(german.get(key) ?? '').sort() }).toEqual({
        key,
        slots: slotNames(text).sort(),
      });
  });

  test('hold no text that no command prints', () => {
    expect(unusedKeys(allKeys(cliEnglish), sources)).toEqual([]);
  });

  test('have every sentence around a text of the host', () => {
    const inSentence = /\p{L}{2}[.:]? \$\{(?:\w+\()*shown(?:Error)?\(|\bshown\([^`{}]*\)\} \p{L}{2}/u;
    expect(inSentence.test('`${name} may ${shown(rule)} now`')).toBe(true);
    expect(inSentence.test('`${shown(why)} It is kept.`')).toBe(true);
    expect(inSentence.test('`${shown(first)} ${shown(second)}`')).toBe(false);
    // The name of the program stands before each error.
    const lines = sources.flatMap((source) => source.replaceAll('`kennel: ', '`').split('\n'));
    expect(lines.filter((line) => inSentence.test(line))).toEqual([]);
  });

  test('are translated, and say each sentence once', () => {
    const same = [...english].filter(
      ([key, text]) =>
        /\p{L}{4,}/u.test(text.replace(/\{[^{}]*\}/g, '')) &&
        german.get(key)?.toLowerCase() === text.toLowerCase(),
    );
    expect(same.map(([key]) => key).filter((key) => !shared.includes(key))).toEqual([]);
    const sentences = [...english.values()].filter((text) => /[.!?]$/.test(text));
    expect(sentences.filter((text, index) => sentences.indexOf(text) !== index)).toEqual([]);
  });
});

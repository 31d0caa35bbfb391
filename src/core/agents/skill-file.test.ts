import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { validate } from 'skills-ref';
import { afterAll, describe, expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { readSkillFile, validateSkill } from './skill-file.ts';

const root = mkdtempSync(path.join(tmpdir(), 'kennel-skill-file-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
async function referenceFaults(folder: string, text: string): Promise<readonly string[]> {
  folders += 1;
  const place = path.join(root, String(folders), folder);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'SKILL.md'), text);
  return validate(place);
}

const skill = (...head: readonly string[]): string => `---\n${head.join('\n')}\n---\n# Title\nBody.\n`;
const described = 'description: Makes tables. Use it for tables.';

const good: readonly (readonly [what: string, folder: string, text: string])[] = [
  ['two fields', 'tables', skill('name: tables', described)],
  ['quoted values', 'tables', skill('name: "tables"', "description: 'a: b'")],
  ['a folded description', 'tables', skill('name: tables', 'description: >', '  Makes', '  tables.')],
  [
    'all fields',
    'a-1',
    skill(
      'name: a-1',
      described,
      'license: MIT',
      'compatibility: needs git',
      'allowed-tools: Read Bash(git:*)',
      'metadata:',
      '  author: me',
      '  version: "1.0"',
    ),
  ],
  ['a number as metadata', 'tables', skill('name: tables', described, 'metadata:', '  version: 1')],
  ['64 characters', 'a'.repeat(64), skill(`name: ${'a'.repeat(64)}`, described)],
  ['1,024 characters', 'tables', skill('name: tables', `description: ${'d'.repeat(1024)}`)],
  ['line ends of Windows', 'tables', skill('name: tables', described).replaceAll('\n', '\r\n')],
  ['no body', 'tables', `---\nname: tables\n${described}\n---`],
];

const bad: readonly (readonly [what: string, folder: string, text: string])[] = [
  ['no head', 'tables', '# Tables\n'],
  ['a head that stays open', 'tables', `---\nname: tables\n${described}\n`],
  ['broken YAML', 'tables', skill('name: [tables', described)],
  ['a bare colon', 'tables', skill('name: tables', 'description: Use when: asked')],
  ['a list as head', 'tables', skill('- name: tables')],
  ['another field', 'tables', skill('name: tables', described, 'version: 1')],
  ['no name', 'tables', skill(described)],
  ['an empty name', 'tables', skill('name: ""', described)],
  ['capitals', 'Tables', skill('name: Tables', described)],
  ['an underscore', 'my_tables', skill('name: my_tables', described)],
  ['a leading dash', '-tables', skill('name: -tables', described)],
  ['a trailing dash', 'tables-', skill('name: tables-', described)],
  ['two dashes', 'my--tables', skill('name: my--tables', described)],
  ['65 characters', 'a'.repeat(65), skill(`name: ${'a'.repeat(65)}`, described)],
  ['another folder', 'lists', skill('name: tables', described)],
  ['no description', 'tables', skill('name: tables')],
  ['an empty description', 'tables', skill('name: tables', 'description: ""')],
  ['1,025 characters', 'tables', skill('name: tables', `description: ${'d'.repeat(1025)}`)],
  [
    '501 characters of compatibility',
    'tables',
    skill('name: tables', described, `compatibility: ${'c'.repeat(501)}`),
  ],
  ['a list as compatibility', 'tables', skill('name: tables', described, 'compatibility: [git]')],
];

describe('A skill is judged like by the reference validator', () => {
  it.each(good)('valid: %s', async (_what, folder, text) => {
    expect(validateSkill(folder, text)).toEqual([]);
    expect(await referenceFaults(folder, text)).toEqual([]);
  });

  it.each(bad)('invalid: %s', async (_what, folder, text) => {
    expect(validateSkill(folder, text)).not.toEqual([]);
    expect(await referenceFaults(folder, text)).not.toEqual([]);
  });
});

describe('A skill is judged by the text of the standard where the reference validator is not', () => {
  it.each([
    ['letters beyond a to z', 'tablés', skill('name: tablés', described)],
    ['a list of allowed tools', 'tables', skill('name: tables', described, 'allowed-tools: [Read]')],
    ['a list as metadata', 'tables', skill('name: tables', described, 'metadata: [a]')],
    ['an empty value', 'tables', skill('name: tables', 'description:')],
    ['an empty compatibility', 'tables', skill('name: tables', described, 'compatibility: ""')],
  ])('invalid: %s', async (_what, folder, text) => {
    expect(validateSkill(folder, text)).toHaveLength(1);
    expect(await referenceFaults(folder, text)).toEqual([]);
  });

  it('valid: dashes inside a description', async () => {
    const text = skill('name: tables', 'description: "Tables --- and more"');
    expect(validateSkill('tables', text)).toEqual([]);
    expect(await referenceFaults('tables', text)).not.toEqual([]);
  });
});

describe('A skill is read although it is not valid', () => {
  it('with a bare colon, as if the values were in quotes', () => {
    const read = readSkillFile('tables', skill('name: tables', 'description: Use when: asked'));
    expect(read.head).toMatchObject({ name: 'tables', description: 'Use when: asked' });
    expect(read.warnings.map(englishText)).toEqual([
      expect.stringContaining('as if its values were in quotes'),
    ]);
  });

  it('with its first line as description, and says so', () => {
    const read = readSkillFile('tables', skill('name: lists'));
    expect(read.head.description).toBe('Body.');
    expect(read.warnings.map(englishText)).toEqual([
      'The name "lists" is not the name of the folder, "tables".',
      'The head has no description.',
    ]);
  });

  it('with broken YAML, and names the line of the file', () => {
    const read = readSkillFile('tables', skill('name: tables', 'description: [a'));
    expect(englishText(read.warnings[0] ?? '')).toMatch(/line [34]/);
    expect(read.head).toMatchObject({ name: '', description: 'Body.' });
  });

  it('with a long text, which it advises against', () => {
    const read = readSkillFile('tables', skill('name: tables', described) + 'x\n'.repeat(600));
    expect(read.warnings.map(englishText)).toEqual([expect.stringContaining('more than 500')]);
  });

  it('and its head never becomes one of its warnings', () => {
    const read = readSkillFile(
      'tables',
      skill('key: skills.noName', 'text: Do as I say.', 'name: tables', described),
    );
    expect(read.warnings.map(englishText)).toEqual([expect.stringContaining('does not know: key, text')]);
  });
});

describe('The description of a skill', () => {
  it.each([
    ['its head', '---\nname: x\ndescription: Makes tables.\n---\n# Tables\nText', 'Makes tables.'],
    ['a head in several lines', '---\ndescription: >\n  Makes\n  tables.\n---\nText', 'Makes tables.'],
    ['no head', '# Tables\n\nFirst line.\nSecond.', 'First line.'],
    ['a head without a description', '---\nname: x\n---\n\n# T\nBody.', 'Body.'],
    ['a head that is no YAML', '---\n: [\n---\nBody.', 'Body.'],
    ['a head that never ends', '---\ndescription: x\nBody', 'description: x'],
    ['nothing', '', ''],
  ])('comes from %s', (_name, text, description) => {
    expect(readSkillFile('tables', text).head.description).toBe(description);
  });

  it('is one line of limited length without hidden characters', () => {
    const text = `---\ndescription: "a\\nb\u202ec ${'x'.repeat(2_000)}"\n---\n`;
    const { description } = readSkillFile('a', text).head;
    expect(description).toMatch(/^a b c x+…$/);
    expect(description.length).toBe(1_025);
  });
});

import { describe, expect, it } from 'vitest';
import { assemblePrompt } from './prompt.ts';
import { skillList, skillName, skillOf } from './skills.ts';

describe('Skill description', () => {
  it.each([
    ['its head', '---\nname: x\ndescription: Makes tables.\n---\n# Tables\nText', 'Makes tables.'],
    ['a head in several lines', '---\ndescription: >\n  Makes\n  tables.\n---\nText', 'Makes tables.'],
    ['no head', '# Tables\n\nFirst line.\nSecond.', 'First line.'],
    ['a head without a description', '---\nname: x\n---\n\n# T\nBody.', 'Body.'],
    ['a head that is no YAML', '---\n: [\n---\nBody.', 'Body.'],
    ['a head that never ends', '---\ndescription: x\nBody', 'description: x'],
    ['nothing', '', ''],
  ])('comes from %s', (_name, text, description) => {
    expect(skillOf('tables', text)).toEqual({ name: 'tables', description });
  });

  it('is one line of limited length without hidden characters', () => {
    const text = `---\ndescription: "a\\nb\u202ec ${'x'.repeat(1_000)}"\n---\n`;
    const { description } = skillOf('a', text);
    expect(description).toMatch(/^a b c x+…$/);
    expect(description.length).toBe(301);
  });
});

it('T15 a skill name is a plain folder name and cannot be a path', () => {
  for (const name of ['tables', 'a', '0-day', 'a'.repeat(64)]) expect(skillName.test(name), name).toBe(true);
  for (const name of ['', '..', 'A', 'a/b', '-a', 'a.b', 'a\n', 'a'.repeat(65), 'ä'])
    expect(skillName.test(name), name).toBe(false);
});

it('The prompt lists skills and how to read one, and is unchanged without skills', () => {
  const parts = { primer: 'P', profile: 'R', memory: 'M' };
  expect(assemblePrompt({ ...parts, skills: skillList([]) })).toBe(assemblePrompt(parts));
  const skills = [
    { name: 'tables', description: 'Makes tables.' },
    { name: 'bare', description: '' },
  ];
  const prompt = assemblePrompt({ ...parts, skills: skillList(skills) });
  expect(prompt).toContain('# Your skills\n\nInstructions');
  expect(prompt).toContain('read_skill');
  expect(prompt).toContain('\n- tables: Makes tables.\n- bare\n');
  const many = Array.from({ length: 60 }, (_, n) => ({ name: `s${n}`, description: '' }));
  expect(skillList(many)).toContain('- s49\n- and 10 more');
});

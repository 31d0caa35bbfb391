import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { validate } from 'skills-ref';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { systemSkills } from '../../core/agents/system-skills.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createInstalledRecord } from '../../services/tools/skills/installed.ts';
import { digestOfSkill } from '../../services/tools/skills/skill-folder.ts';
import { loadSandboxedGit } from '../worktrees/load-git.ts';
import { placesOf, readPlaces, skillsFor } from './skill-places.ts';
import { openSkillSource } from './skill-source.ts';
import { createSkillStore, installedFiles } from './skill-store.ts';
import { viewOffer } from './skill-view.ts';

let folder = '';
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
const put = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-skills-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createSystemClock();
const disk = () => createDisk(createSeededRandom(1));
const record = () => createInstalledRecord(at('agent', 'installed.json'), disk());
const places = () => placesOf(at('home'), at('mine'), at('agent'));
const open = (source: string) => openSkillSource(source, () => loadSandboxedGit(clock));
const texts = (skills: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>) =>
  Object.fromEntries(
    [...skills].map(([name, files]) => [
      name,
      Object.fromEntries([...files].map(([file, bytes]) => [file, Buffer.from(bytes).toString()])),
    ]),
  );

describe('Places of skills', () => {
  it('count in the order agent, skills_dir, shared, Kennel, and say which one hides another', () => {
    for (const place of [at('agent', 'skills'), at('mine'), at('home', 'shared', 'skills')])
      put(path.join(place, 'a', 'SKILL.md'), skill('a', place));
    put(at('home', 'shared', 'skills', 'b', 'SKILL.md'), skill('b', 'B'));
    mkdirSync(at('agent'), { recursive: true });
    const found = readPlaces(disk(), places()).map(({ name, place, shadowedBy }) => [
      name,
      place.kind,
      shadowedBy,
    ]);
    expect(found).toEqual([
      ['a', 'agent', null],
      ['a', 'folder', 'agent'],
      ['a', 'shared', 'agent'],
      ['b', 'shared', null],
      ['prose', 'system', null],
      ['skill-writing', 'system', null],
    ]);
    expect([...skillsFor(disk(), places(), record()).keys()]).toEqual(['a', 'b']);
  });

  it('give a skill until it is switched off, and one of Kennel once it is switched on', () => {
    put(at('mine', 'a', 'SKILL.md'), skill('a', 'A'));
    mkdirSync(at('agent'), { recursive: true });
    record().switchSkill('a', false);
    record().switchSkill('skill-writing', true);
    expect([...skillsFor(disk(), places(), record()).keys()]).toEqual(['skill-writing']);
  });

  it.each(Object.keys(systemSkills))(
    'bring %s along, which is valid by the reference validator',
    async (name) => {
      for (const [file, text] of Object.entries(systemSkills[name] ?? {})) put(at(name, file), text);
      expect(await validate(at(name))).toEqual([]);
    },
  );
});

describe('Sources of skills', () => {
  it('may be a folder with one skill or many; links and generated folders stay outside', async () => {
    put(at('src', 'one', 'SKILL.md'), skill('one', 'One'));
    put(at('src', 'one', 'scripts', 'a.sh'), 'true');
    put(at('src', 'deep', 'two', 'SKILL.md'), skill('two', 'Two'));
    put(at('src', 'node_modules', 'three', 'SKILL.md'), skill('three', 'Three'));
    symlinkSync('/etc/passwd', at('src', 'one', 'passwd'));
    const many = await open(at('src'));
    expect(many.ok && texts(many.value.skills)).toEqual({
      one: { 'SKILL.md': skill('one', 'One'), 'scripts/a.sh': 'true' },
      two: { 'SKILL.md': skill('two', 'Two') },
    });
    const one = await open(at('src', 'one'));
    expect(one.ok && [...one.value.skills.keys()]).toEqual(['one']);
  });

  const zip = (files: Zippable): string => {
    writeFileSync(at('skills.zip'), zipSync(files));
    return at('skills.zip');
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('may be a zip, with the skill at its top or in folders', async () => {
    const top = await open(zip({ 'SKILL.md': bytes(skill('top', 'T')), 'references/x.md': bytes('X') }));
    expect(top.ok && texts(top.value.skills)).toEqual({
      top: { 'SKILL.md': skill('top', 'T'), 'references/x.md': 'X' },
    });
    const below = await open(
      zip({ 'pack/a/SKILL.md': bytes(skill('a', 'A')), 'pack/README.md': bytes('R') }),
    );
    expect(below.ok && texts(below.value.skills)).toEqual({ a: { 'SKILL.md': skill('a', 'A') } });
  });

  it.each([
    ['a path upwards', { 'a/SKILL.md': bytes(skill('a', 'A')), 'a/../../x': bytes('x') }],
    ['an absolute path', { 'a/SKILL.md': bytes(skill('a', 'A')), '/etc/x': bytes('x') }],
    ['a bomb', { 'a/SKILL.md': bytes(skill('a', 'A')), 'a/zeros': new Uint8Array(20 * 1024 * 1024) }],
    [
      'too many files',
      Object.fromEntries([
        ['a/SKILL.md', bytes(skill('a', 'A'))],
        ...Array.from({ length: 201 }, (_, n) => [`a/${n}`, bytes('x')] as const),
      ]),
    ],
    ['no skill', { 'README.md': bytes('x') }],
    ['a name that is a path', { 'SKILL.md': bytes(skill('../a', 'A')) }],
  ] as const)('T16: are refused with %s', async (_what, files) => {
    const opened = await open(zip(files));
    expect(opened.ok).toBe(false);
    expect(existsSync(at('x'))).toBe(false);
  });

  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=O', '-c', 'user.email=o@x', '-c', 'init.defaultBranch=main', ...args],
      {
        cwd: at('repo'),
        encoding: 'utf8',
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ).trim();

  it('may be a zip with generated folders, which stay outside; one that is too deep is refused', async () => {
    const zip = (files: Zippable): string => {
      writeFileSync(at('b.zip'), zipSync(files));
      return at('b.zip');
    };
    const text = Buffer.from(skill('a', 'A'));
    const opened = await open(
      zip({
        a: { 'SKILL.md': text, '.git': { config: text }, node_modules: { b: { 'SKILL.md': text } } },
        node_modules: { c: { 'SKILL.md': text } },
      }),
    );
    expect(opened.ok && texts(opened.value.skills)).toEqual({ a: { 'SKILL.md': skill('a', 'A') } });
    const deep = { 'SKILL.md': text, 1: { 2: { 3: { 4: { 5: { 6: { 'x.md': text } } } } } } };
    expect(await open(zip({ a: deep }))).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });

  it('may be a git bundle, whose commit is noted', async () => {
    put(at('repo', 'skills', 'a', 'SKILL.md'), skill('a', 'A'));
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'a');
    git('bundle', 'create', at('a.bundle'), 'main');
    const opened = await open(at('a.bundle'));
    expect(opened).toMatchObject({ ok: true, value: { from: 'bundle', commit: git('rev-parse', 'HEAD') } });
    expect(opened.ok && texts(opened.value.skills)).toEqual({ a: { 'SKILL.md': skill('a', 'A') } });
  });

  it('T14: a bundle with a link in it is refused', async () => {
    put(at('repo', 'a', 'SKILL.md'), skill('a', 'A'));
    symlinkSync('/etc/passwd', at('repo', 'a', 'passwd'));
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'a');
    git('bundle', 'create', at('a.bundle'), 'main');
    expect(await open(at('a.bundle'))).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it.each([
    ['a relative path', 'skills', 'invalid_input'],
    ['a missing path', '/nothing/at/all', 'not_found'],
  ] as const)('are refused with %s', async (_what, source, code) => {
    expect(await open(source)).toMatchObject({ ok: false, error: { code } });
  });

  it.each([
    ['another file', 'text', 'unsupported'],
    ['a damaged bundle', `# v2 git bundle\n${'a'.repeat(40)} refs/heads/main\n\nPACK`, 'conflict'],
  ] as const)('are refused with %s', async (_what, content, code) => {
    put(at('file'), content);
    expect(await open(at('file'))).toMatchObject({ ok: false, error: { code } });
  });
});

describe('Installed skills', () => {
  const store = () => createSkillStore({ disk: disk(), clock });
  const place = () => at('agent', 'skills');
  async function install(wanted?: string) {
    const source = await open(at('src'));
    if (!source.ok) return source;
    const files = source.value.skills.get('a') ?? new Map();
    return store().install(place(), at('src'), source.value, [
      { name: 'a', digest: wanted ?? digestOfSkill(files) },
    ]);
  }
  const states = () =>
    readPlaces(disk(), places()).flatMap(({ name, place: { kind }, isChanged }) =>
      kind === 'agent' ? [[name, isChanged]] : [],
    );

  beforeEach(() => {
    put(at('src', 'a', 'SKILL.md'), skill('a', 'One'));
    put(at('src', 'a', 'scripts', 'a.sh'), 'true');
  });

  it('T12: have exactly the files that were shown, and are not given once they differ', async () => {
    expect(await install('0'.repeat(64))).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(existsSync(place())).toBe(false);
    expect(await install()).toEqual({ ok: true, value: ['a'] });
    expect(states()).toEqual([['a', false]]);
    expect([...skillsFor(disk(), places(), record()).keys()]).toContain('a');
    writeFileSync(path.join(place(), 'a', 'scripts', 'a.sh'), 'false');
    expect(states()).toEqual([['a', true]]);
    expect([...skillsFor(disk(), places(), record()).keys()]).not.toContain('a');
  });

  it('keep the old files after a crash between the two moves of an update', () => {
    // State on disk after such a crash.
    put(at('mine', '.new-abC123', 'a', 'SKILL.md'), skill('a', 'new'));
    put(at('mine', '.new-abC123', 'old', 'SKILL.md'), skill('a', 'old'));
    // A folder of a person that only looks similar stays.
    put(at('mine', '.new-ideas', 'old', 'x.md'), 'x');
    const read = readPlaces(disk(), places()).filter(({ place }) => place.kind === 'folder');
    expect(read.map(({ name, content }) => [name, content.ok])).toEqual([['a', true]]);
    expect(readFileSync(at('mine', 'a', 'SKILL.md'), 'utf8')).toBe(skill('a', 'old'));
    expect([existsSync(at('mine', '.new-abC123')), existsSync(at('mine', '.new-ideas'))]).toEqual([
      false,
      true,
    ]);
  });

  it('are updated with a difference of every file, and removed', async () => {
    await install();
    put(at('src', 'a', 'SKILL.md'), skill('a', 'Two'));
    rmSync(at('src', 'a', 'scripts'), { recursive: true });
    put(at('src', 'a', 'b.bin'), '\0');
    const source = await open(at('src'));
    const files = (source.ok && source.value.skills.get('a')) || new Map();
    const offer = viewOffer('a', files, installedFiles(place(), 'a'));
    expect(offer).toMatchObject({ change: 'changed', cut: false });
    for (const part of [
      '-One',
      '+Two',
      '--- scripts/a.sh\n+++ /dev/null',
      '-true',
      'Binary: 0 bytes before, 1 bytes after',
    ])
      expect(offer.diff).toContain(part);
    await install();
    expect(readFileSync(path.join(place(), 'a', 'SKILL.md'), 'utf8')).toContain('Two');
    expect(existsSync(path.join(place(), 'a', 'scripts'))).toBe(false);
    expect(viewOffer('a', files, installedFiles(place(), 'a'))).toMatchObject({ change: 'same', diff: '' });
    expect(store().remove(place(), 'a')).toMatchObject({ ok: true });
    expect(states()).toEqual([]);
    expect(store().remove(place(), 'a')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { acpRecipes } from './acp-recipes.ts';
import { hermesRecipe } from './hermes-recipe.ts';
import type { RecipeStart } from './program-recipe.ts';

let folder: string;
let own: RecipeStart['folders'];
/** Files of the person. */
let outside: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-settings-')));
  own = { home: join(folder, 'home'), config: join(folder, 'config'), tmp: join(folder, 'tmp') };
  outside = join(folder, 'person');
  for (const one of [...Object.values(own), outside]) mkdirSync(one);
  writeFileSync(join(outside, 'letter'), 'dear friend');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recipes = new Map([...acpRecipes, hermesRecipe].map((recipe) => [recipe.harness, recipe]));

function start(): RecipeStart {
  const choice: ModelChoice = {
    provider: 'x',
    adapter: 'openai-completions',
    model: 'm',
    baseUrl: '',
    apiKey: null,
    auth: 'api_key',
    scripted: false,
    reason: 'agent',
  };
  return {
    entry: '/bin/true',
    program: '/bin/true',
    folders: own,
    choice,
    model: 'm',
    maxTurns: 10,
    command: [],
    access: { url: 'http://127.0.0.1:1', token: 't' },
    sessionId: 's',
    isNew: false,
    userHome: outside,
    cwd: outside,
    hasWall: false,
  };
}

const files = () => readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')]);

describe('Settings of agent programs', () => {
  it.each([
    ['gemini-cli', '.gemini'],
    ['opencode', '.config'],
    ['opencode', '.config/opencode'],
  ] as const)('T14: %s leaves the files of a person behind a link at %s', async (harness, path) => {
    mkdirSync(join(outside, 'opencode'));
    writeFileSync(join(outside, 'opencode', 'mine'), 'x');
    if (path.includes('/')) mkdirSync(join(own.home, '.config'));
    symlinkSync(outside, join(own.home, path));
    await recipes.get(harness)?.prepare(start());
    expect(readdirSync(outside).toSorted()).toEqual(['letter', 'opencode']);
    expect(readdirSync(join(outside, 'opencode'))).toEqual(['mine']);
  });

  it.each([
    ['pi', 'models.json'],
    ['pi', 'settings.json'],
    ['opencode', 'opencode.json'],
    ['codex', 'config.toml'],
    ['hermes', 'config.yaml'],
  ] as const)('T14: %s writes %s and not through a link', async (harness, name) => {
    symlinkSync(join(outside, 'letter'), join(own.config, name));
    await recipes.get(harness)?.prepare(start());
    expect(files()).toEqual([['letter', 'dear friend']]);
    expect(readFileSync(join(own.config, name), 'utf8')).toContain('m');
  });

  it('T14: removes rules that the program left, and keeps its sessions', async () => {
    mkdirSync(join(own.home, '.gemini', 'policies'), { recursive: true });
    mkdirSync(join(own.home, '.gemini', 'tmp'));
    writeFileSync(join(own.home, '.gemini', 'policies', 'all.toml'), 'allow');
    await recipes.get('gemini-cli')?.prepare(start());
    expect(readdirSync(join(own.home, '.gemini')).toSorted()).toEqual(['settings.json', 'tmp']);
  });

  it.each([
    ['no wall', { hasWall: false }, null, 'false', false],
    ['a wall', { hasWall: true }, null, 'true', true],
    ['a wall and a link', { hasWall: true }, 'link', 'false', false],
    ['a wall and a file', { hasWall: true }, 'file', 'false', false],
  ] as const)(
    'T14: Gemini CLI trusts a workspace with %s only if its settings are hidden',
    async (...row) => {
      const [, wall, found, trusts, hides] = row;
      const settings = join(outside, '.gemini');
      if (found === 'link') symlinkSync(folder, settings);
      if (found === 'file') writeFileSync(settings, '{}');
      const line = await recipes.get('gemini-cli')?.prepare({ ...start(), ...wall });
      expect(line?.env.GEMINI_CLI_TRUST_WORKSPACE).toBe(trusts);
      expect(line?.hidden).toEqual(hides ? [settings] : []);
    },
  );

  it('writes its settings again over those of the program', async () => {
    mkdirSync(join(own.config, 'models.json'));
    writeFileSync(join(own.config, 'settings.json'), '{"defaultProvider":"mine"}');
    await recipes.get('pi')?.prepare(start());
    expect(readFileSync(join(own.config, 'models.json'), 'utf8')).toContain('$KENNEL_MODEL_TOKEN');
    expect(readFileSync(join(own.config, 'settings.json'), 'utf8')).toContain('kennel');
  });

  it('T24: does not wait at a pipe in place of the sessions of pi', async () => {
    const pi = recipes.get('pi');
    mkdirSync(join(own.home, '.pi', 'pi-acp'), { recursive: true });
    const map = join(own.home, '.pi', 'pi-acp', 'session-map.json');
    execFileSync('mkfifo', [map]);
    expect(await pi?.terminalArgs?.(start())).toBeNull();
    rmSync(map);
    writeFileSync(map, JSON.stringify({ sessions: { s: { sessionFile: '/a/b.jsonl' } } }));
    expect(await pi?.terminalArgs?.(start())).toEqual(['--session', '/a/b.jsonl']);
    expect(existsSync(map)).toBe(true);
  });
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { lookAtSkills } from './agent-skills.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-agent-skills-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const skills = (...parts: readonly string[]): string =>
  join(folder, 'workspace', '.claude', 'skills', ...parts);
const look = () => {
  const cwd = join(folder, 'workspace');
  const deps = { disk: createDisk(createSeededRandom(1)), log: createRecordingLog() };
  return lookAtSkills(deps, { folder }, { cwd, readable: [cwd], writable: [cwd] });
};

describe('Skills of a workspace taint a turn (T9)', () => {
  it('not without any', async () => {
    mkdirSync(skills(), { recursive: true });
    expect(await look()).toEqual({ text: '', names: [], foreign: false });
  });

  it('if one has not been accepted', async () => {
    mkdirSync(skills('review'), { recursive: true });
    writeFileSync(skills('review', 'SKILL.md'), 'Review code.');
    expect(await look()).toEqual({ text: '', names: [], foreign: true });
  });

  it('if one is a link, or holds one', async () => {
    mkdirSync(skills(), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), skills('linked'));
    expect((await look()).foreign).toBe(true);
    rmSync(skills('linked'));
    mkdirSync(skills('review'));
    writeFileSync(skills('review', 'SKILL.md'), 'Review code.');
    symlinkSync('SKILL.md', skills('review', 'copy.md'));
    expect((await look()).foreign).toBe(true);
  });

  it('if their folder cannot be read', async () => {
    mkdirSync(join(folder, 'workspace', '.claude'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), skills());
    expect((await look()).foreign).toBe(true);
  });
});

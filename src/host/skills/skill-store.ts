/** Installs skills into a place of the operator, each with a pin of its files, and removes them. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { digestOfSkill, readSkillFolder, type SkillFiles } from '../../services/tools/skills/skill-folder.ts';
import { buildPrefix, replacedName } from './interrupted-install.ts';
import { type SkillPin, skillPinsFile } from './skill-places.ts';
import type { SkillSource } from './skill-source.ts';

export interface SkillStoreDeps {
  readonly disk: DiskPort;
  readonly clock: Clock;
}

export interface SkillChoice {
  readonly name: string;
  readonly digest: string;
}

const diskFault = (folder: string) => err(fail('io_error', 'skills.notWritten', { folder }));

function writeFiles(folder: string, files: SkillFiles): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), bytes, { mode: 0o600, flag: 'wx' });
  }
}

/** The new folder is complete before it takes the place of the old one. */
function replaceFolder(place: string, name: string, files: SkillFiles): Result<void> {
  let built = '';
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    built = mkdtempSync(join(place, buildPrefix));
    writeFiles(join(built, name), files);
    if (existsSync(join(place, name))) renameSync(join(place, name), join(built, replacedName));
    renameSync(join(built, name), join(place, name));
    return ok(undefined);
  } catch {
    // A failure between the two moves leaves the old folder in the temporary one.
    if (built !== '' && existsSync(join(built, replacedName)) && !existsSync(join(place, name)))
      cpSync(join(built, replacedName), join(place, name), { recursive: true });
    return diskFault(join(place, name));
  } finally {
    if (built !== '') rmSync(built, { recursive: true, force: true });
  }
}

export interface SkillStore {
  /** `conflict` unless the source has the chosen files. Nothing is written before all of them are checked. */
  install(
    place: string,
    path: string,
    source: SkillSource,
    choices: readonly SkillChoice[],
  ): Result<string[]>;
  remove(place: string, name: string): Result<void>;
}

export function createSkillStore({ disk, clock }: SkillStoreDeps): SkillStore {
  const changePin = (place: string, name: string, pin: SkillPin | null): Result<void> => {
    const file = skillPinsFile(disk, place);
    const read = file.read();
    if (!read.ok) return read;
    const others = Object.entries(read.value?.skills ?? {}).filter(([each]) => each !== name);
    return file.write({ skills: Object.fromEntries([...others, ...(pin ? [[name, pin] as const] : [])]) });
  };
  return {
    install(place, path, source, choices) {
      const chosen: (readonly [string, SkillFiles])[] = [];
      for (const { name, digest } of choices) {
        const files = source.skills.get(name);
        if (!files || digestOfSkill(files) !== digest)
          return err(fail('conflict', 'skills.sourceChanged', { name }));
        chosen.push([name, files]);
      }
      for (const [name, files] of chosen) {
        const replaced = replaceFolder(place, name, files);
        if (!replaced.ok) return replaced;
        const { from, commit } = source;
        const pin = { digest: digestOfSkill(files), source: path, from, commit, at: clock.now() };
        const pinned = changePin(place, name, pin);
        if (!pinned.ok) return pinned;
      }
      return ok(chosen.map(([name]) => name));
    },
    remove(place, name) {
      if (!existsSync(join(place, name))) return err(fail('not_found', 'skills.notInstalled', { name }));
      try {
        rmSync(join(place, name), { recursive: true });
      } catch {
        return diskFault(join(place, name));
      }
      return changePin(place, name, null);
    },
  };
}

/** The installed files, or `null` if it is not installed. */
export function installedFiles(place: string, name: string): SkillFiles | null {
  const read = readSkillFolder(join(place, name), name);
  return read.ok ? read.value : null;
}

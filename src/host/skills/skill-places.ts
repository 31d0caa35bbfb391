/**
 * Where the operator keeps skills, out of reach of agents: one folder per agent, `skills_dir`, the shared folder, and
 * those that Kennel brings along. Of two skills with one name the earlier place counts.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { placedMessage } from '../../contract/located-message.ts';
import { ok, type Result } from '../../contract/result.ts';
import { readSkillFile } from '../../core/agents/skill-file.ts';
import { skillName } from '../../core/agents/skills.ts';
import { systemSkills } from '../../core/agents/system-skills.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { InstalledRecord } from '../../services/tools/skills/installed.ts';
import {
  digestOfSkill,
  entriesOf,
  readSkillFolder,
  type SkillFiles,
  skillLimits,
  skillText,
} from '../../services/tools/skills/skill-folder.ts';
import { rootPath } from '../approvals/agent-policy.ts';
import { type RecordFile, recordFile } from '../stores/record-file.ts';
import { restoreInterrupted } from './interrupted-install.ts';

type PlaceKind = 'agent' | 'folder' | 'shared' | 'system';

export interface SkillPlace {
  readonly kind: PlaceKind;
  /** Empty for `system`. */
  readonly folder: string;
}

const pinSchema = z.object({
  digest: z.string().max(64),
  /** Absolute path of what it was installed from. */
  source: z.string().max(4_096),
  from: z.enum(['folder', 'zip', 'bundle']),
  /** Of a bundle. */
  commit: z.string().max(64).nullable(),
  at: z.number(),
});
export type SkillPin = z.output<typeof pinSchema>;

const pinsSchema = z.object({ skills: z.record(z.string().max(64), pinSchema) });
type SkillPins = z.output<typeof pinsSchema>;

export const skillPinsFile = (disk: DiskPort, folder: string): RecordFile<SkillPins> =>
  recordFile(disk, join(folder, 'installed-skills.json'), pinsSchema);

export interface PlacedSkill {
  readonly name: string;
  readonly place: SkillPlace;
  readonly description: string;
  readonly content: Result<SkillFiles>;
  readonly digest: string;
  readonly pin: SkillPin | null;
  /** Its files are no longer those that were installed. */
  readonly isChanged: boolean;
  /** Kind of the place whose skill of this name counts instead. */
  readonly shadowedBy: PlaceKind | null;
  readonly warnings: readonly HostText[];
}

export const sharedSkills = (home: string): string => join(home, 'shared', 'skills');
export const skillsOfAgent = (folder: string): string => join(folder, 'skills');

/** In the order of their precedence. */
export const placesOf = (
  home: string,
  skillsDir: string,
  agentFolder: string | null,
): readonly SkillPlace[] => [
  ...(agentFolder === null ? [] : [{ kind: 'agent', folder: skillsOfAgent(agentFolder) } as const]),
  ...(skillsDir === '' ? [] : [{ kind: 'folder', folder: skillsDir } as const]),
  { kind: 'shared', folder: sharedSkills(home) },
  { kind: 'system', folder: '' },
];

const namesIn = ({ folder }: SkillPlace): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && skillName.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .slice(0, skillLimits.skills);

function systemFiles(name: string): SkillFiles {
  return new Map(Object.entries(systemSkills[name] ?? {}).map(([path, text]) => [path, utf8(text)]));
}

function placedSkill(place: SkillPlace, name: string, pin: SkillPin | null): PlacedSkill {
  const content =
    place.kind === 'system' ? ok(systemFiles(name)) : readSkillFolder(join(place.folder, name), name);
  const base = { name, place, content, pin, shadowedBy: null };
  if (!content.ok)
    return {
      ...base,
      description: '',
      digest: '',
      isChanged: false,
      warnings: [placedMessage(content.error)],
    };
  const { head, warnings } = readSkillFile(name, skillText(content.value));
  const digest = digestOfSkill(content.value);
  const isChanged = pin !== null && pin.digest !== digest;
  return {
    ...base,
    description: head.description,
    digest,
    isChanged,
    warnings: isChanged ? [say('skills.changedSince'), ...warnings] : warnings,
  };
}

function readPlace(disk: DiskPort, place: SkillPlace): readonly PlacedSkill[] {
  if (place.kind === 'system')
    return Object.keys(systemSkills)
      .sort()
      .map((name) => placedSkill(place, name, null));
  restoreInterrupted(place.folder);
  const names = namesIn(place);
  const read = names.length === 0 ? ok(null) : skillPinsFile(disk, place.folder).read();
  const pins = new Map(Object.entries((read.ok && read.value?.skills) || {}));
  return names.map((name) => placedSkill(place, name, pins.get(name) ?? null));
}

/** Every skill of these places; a later one of the same name is marked as shadowed. */
export function readPlaces(disk: DiskPort, places: readonly SkillPlace[]): readonly PlacedSkill[] {
  const counting = new Map<string, PlaceKind>();
  return places
    .flatMap((place) => readPlace(disk, place))
    .map((skill) => {
      const by = counting.get(skill.name);
      if (by !== undefined)
        return { ...skill, shadowedBy: by, warnings: [say(`skills.shadowedBy_${by}`), ...skill.warnings] };
      if (skill.content.ok && !skill.isChanged) counting.set(skill.name, skill.place.kind);
      return skill;
    });
}

/** A skill of Kennel counts once it is switched on, every other until it is switched off. */
export const isOn = (skill: Pick<PlacedSkill, 'name' | 'place'>, record: InstalledRecord): boolean =>
  record.isSwitchedOn(skill.name) ?? skill.place.kind !== 'system';

/** The files that an agent gets, by name of the skill. */
export function skillsFor(
  disk: DiskPort,
  places: readonly SkillPlace[],
  record: InstalledRecord,
): ReadonlyMap<string, SkillFiles> {
  const wanted = new Map<string, SkillFiles>();
  for (const skill of readPlaces(disk, places)) {
    const { name, content, shadowedBy, isChanged } = skill;
    if (shadowedBy !== null || isChanged || !content.ok || !isOn(skill, record)) continue;
    wanted.set(name, content.value);
  }
  return wanted;
}

/** `skills_dir` of daemon.yml as an absolute path; empty if none. */
export const skillsDirOf = (named: string, home: string): string =>
  named === '' ? '' : rootPath(named, home);

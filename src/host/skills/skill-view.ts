/** Skills as clients see them, and the difference between two versions of one. */
import { join } from 'node:path';
import type { SkillOffer, SkillState, SkillView } from '../../contract/skill-methods.ts';
import { readSkillFile } from '../../core/agents/skill-file.ts';
import { unifiedDiff } from '../../core/lib/unified-diff.ts';
import { previewBody } from '../../core/tools/output.ts';
import { decodeFileText } from '../../services/tools/files/file-text.ts';
import type { InstalledRecord } from '../../services/tools/skills/installed.ts';
import { digestOfSkill, type SkillFiles, skillText } from '../../services/tools/skills/skill-folder.ts';
import type { UnreadableSkill, WorkspaceSkill } from '../../services/tools/skills/workspace-skills.ts';
import { isOn, type PlacedSkill } from './skill-places.ts';

const maxContents = 64 * 1024;

function stateOfPlaced(skill: PlacedSkill, record: InstalledRecord | null): SkillState {
  if (!skill.content.ok) return 'broken';
  if (skill.shadowedBy !== null) return 'hidden';
  if (skill.isChanged) return 'changed';
  if (record !== null) return isOn(skill, record) ? 'on' : 'off';
  return skill.place.kind === 'system' ? 'off' : 'on';
}

/** `record`: of the agent; `null` for the skills of all agents. */
export function viewPlaced(skill: PlacedSkill, record: InstalledRecord | null): SkillView {
  const { name, description, place, content, digest, pin, warnings } = skill;
  return {
    name,
    description,
    place: place.kind,
    folder: place.kind === 'system' ? '' : join(place.folder, name),
    state: stateOfPlaced(skill, record),
    digest,
    files: content.ok ? [...content.value.keys()].sort() : [],
    origin: pin && { source: pin.source, from: pin.from, commit: pin.commit, at: pin.at },
    byAgent: false,
    warnings: [...warnings],
  };
}

const stateOfOwn = ({ shadowed, off, known }: WorkspaceSkill): SkillState =>
  shadowed ? 'hidden' : off ? 'off' : known ? 'on' : 'waiting';

export function viewProject(skill: WorkspaceSkill, cwd: string): SkillView {
  const { name, description, folder, digest, files, own, warnings } = skill;
  return {
    name,
    description,
    place: 'project',
    folder: join(cwd, folder),
    state: stateOfOwn(skill),
    digest,
    files: [...files],
    origin: null,
    byAgent: own,
    warnings: [...warnings],
  };
}

export const viewUnreadable = ({ name, folder, fault }: UnreadableSkill, cwd: string): SkillView => ({
  name,
  description: '',
  place: 'project',
  folder: join(cwd, folder),
  state: 'broken',
  digest: '',
  files: [],
  origin: null,
  byAgent: false,
  warnings: [fault],
});

/** `null` for bytes that are no text. */
const textOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? '' : bytes.length > maxContents * 4 ? null : decodeFileText(bytes);

/** The files with their texts, SKILL.md first. */
export function viewFiles(files: SkillFiles) {
  return [...files]
    .sort(([a], [b]) => (a === 'SKILL.md' ? -1 : b === 'SKILL.md' ? 1 : a < b ? -1 : 1))
    .map(([path, bytes]) => ({ path, size: bytes.length, contents: textOf(bytes) }));
}

function fileDiff(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  if (before && after && Buffer.compare(before, after) === 0) return '';
  const [old, current] = [textOf(before), textOf(after)];
  const names = `--- ${before ? path : '/dev/null'}\n+++ ${after ? path : '/dev/null'}\n`;
  if (old === null || current === null)
    return `${names}Binary: ${before?.length ?? 0} bytes before, ${after?.length ?? 0} bytes after.\n`;
  return `${names}${unifiedDiff(old, current)}\n`;
}

function diffOfSkill(before: SkillFiles, after: SkillFiles): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => fileDiff(path, before.get(path), after.get(path))).join('');
}

export function viewOffer(name: string, files: SkillFiles, installed: SkillFiles | null): SkillOffer {
  const { head, warnings } = readSkillFile(name, skillText(files));
  const digest = digestOfSkill(files);
  const isSame = installed !== null && digestOfSkill(installed) === digest;
  const diff = isSame ? '' : diffOfSkill(installed ?? new Map(), files);
  const { body, cut } = previewBody(diff);
  return {
    name,
    description: head.description,
    digest,
    files: [...files]
      .map(([path, bytes]) => ({ path, size: bytes.length }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    change: installed === null ? 'new' : isSame ? 'same' : 'changed',
    diff: body,
    cut: cut === true,
    warnings: [...warnings],
  };
}

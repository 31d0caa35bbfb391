/**
 * The skills in an agent's workspace: `NAME/SKILL.md` in `.agents/skills`, `.kennel/skills` and `.claude/skills`. The
 * agent can write there, so a skill counts only while its files are those that a person accepted (T9, T12). Beside the
 * skills that the agent installed itself is `agent-installed.md`; only those are changed here.
 */
import { fail } from '../../../contract/fail.ts';
import { placedMessage } from '../../../contract/located-message.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { readSkillFile } from '../../../core/agents/skill-file.ts';
import { maxSkill, type Skill, skillName } from '../../../core/agents/skills.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import type { ConfinedFiles, FileEntry } from '../../../core/tools/confined-files.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { decodeFileText } from '../files/file-text.ts';
import type { InstalledRecord } from './installed.ts';
import {
  digestOfSkill,
  installedMark,
  readWorkspaceSkill,
  type SkillFiles,
  skillFileName,
  skillLimits,
  syncedMark,
} from './skill-folder.ts';

/** In the order in which they are looked through. */
export const skillFolders = ['.agents/skills', '.kennel/skills', '.claude/skills'] as const;
const base = '.claude/skills';
const markText =
  'This skill was installed by the agent itself, with install_skill. It may change and remove it.\n';
const maxBytes = maxSkill * 4;

export interface WorkspaceSkill extends Skill {
  /** Relative to the workspace. */
  readonly folder: string;
  /** True if the agent installed it, so that it may change and remove it. */
  readonly own: boolean;
  /** Kennel copied it from a folder of the operator. */
  readonly copied: boolean;
  /** True if its files are the accepted ones; no person reviewed any other (T9). */
  readonly known: boolean;
  /** The operator switched it off. */
  readonly off: boolean;
  /** Another skill of this name counts. */
  readonly shadowed: boolean;
  readonly digest: string;
  readonly files: readonly string[];
  readonly warnings: readonly HostText[];
}

/** A folder that looks like a skill and cannot be read as one. */
export interface UnreadableSkill {
  readonly name: string;
  readonly folder: string;
  readonly fault: HostText;
}

export interface SkillContent {
  readonly skill: WorkspaceSkill;
  readonly text: string;
}

export interface WorkspaceSkills {
  /** The skills that count, by name. */
  list(): Promise<Result<readonly WorkspaceSkill[]>>;
  /** Also the shadowed and the unreadable ones. */
  survey(): Promise<
    Result<{ readonly skills: readonly WorkspaceSkill[]; readonly unreadable: readonly UnreadableSkill[] }>
  >;
  /** `forbidden` if the present files are not accepted, or the skill is switched off. */
  read(name: string): Promise<Result<SkillContent>>;
  /** The files of a skill of the workspace, accepted or not. */
  files(folder: string, name: string): Promise<Result<SkillFiles>>;
  /** The current text, or `null` if the skill does not exist. `conflict` if the agent did not install it. */
  ownText(name: string): Promise<Result<string | null>>;
  install(name: string, text: string): Promise<Result<void>>;
  uninstall(name: string): Promise<Result<void>>;
  /** The absolute path of the skill's folder. */
  place(name: string): string;
}

const folderOf = (name: string): string => `${base}/${name}`;
const fileOf = (name: string): string => `${folderOf(name)}/${skillFileName}`;
const markOf = (name: string): string => `${folderOf(name)}/${installedMark}`;

const noSkill = (name: string) =>
  fail('not_found', 'tools.unknownSkill', { name }, { help: 'tools.useListSkills' });
const notYours = (name: string) =>
  fail('conflict', 'tools.skillNotYours', { name }, { help: 'spaces.chooseAnotherName' });
const badName = fail('invalid_input', 'tools.invalidSkillName', {}, { help: 'tools.skillNameRules' });

async function exists(files: ConfinedFiles, path: string): Promise<Result<boolean>> {
  const found = await files.stat(path);
  if (found.ok) return ok(true);
  return found.error.code === 'not_found' ? ok(false) : found;
}

const isThere = async (files: ConfinedFiles, path: string): Promise<boolean> => {
  const found = await exists(files, path);
  return found.ok && found.value;
};

async function put(files: ConfinedFiles, path: string, text: string): Promise<Result<void>> {
  const there = await exists(files, path);
  return there.ok ? files.write(path, utf8(text), there.value ? 'replace' : 'create') : there;
}

function skillTextOf(files: SkillFiles, name: string): Result<string> {
  const bytes = files.get(skillFileName);
  const text = bytes === undefined || bytes.length > maxBytes ? null : decodeFileText(bytes);
  return text === null ? err(fail('unsupported', 'tools.skillNotText', { name })) : ok(text);
}

/** An accepted skill precedes one that is not accepted, whatever the order of their folders (T9). */
function markShadowed(found: readonly WorkspaceSkill[]): readonly WorkspaceSkill[] {
  const counting = new Map<string, WorkspaceSkill>();
  for (const skill of found) {
    const before = counting.get(skill.name);
    if (!before || (skill.known && !before.known)) counting.set(skill.name, skill);
  }
  return found.map((skill) => {
    const winner = counting.get(skill.name);
    if (!winner || winner === skill) return skill;
    const warning = say('skills.shadowed', { folder: winner.folder });
    return { ...skill, shadowed: true, warnings: [warning, ...skill.warnings] };
  });
}

class Shelf implements WorkspaceSkills {
  readonly #files: ConfinedFiles;
  readonly #record: InstalledRecord;

  constructor(files: ConfinedFiles, record: InstalledRecord) {
    this.#files = files;
    this.#record = record;
  }

  place(name: string): string {
    return `${this.#files.roots.cwd}/${folderOf(name)}`;
  }

  async list(): Promise<Result<readonly WorkspaceSkill[]>> {
    const all = await this.survey();
    if (!all.ok) return all;
    const counting = all.value.skills.filter(({ shadowed }) => !shadowed);
    return ok(counting.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async survey() {
    const found: WorkspaceSkill[] = [];
    const unreadable: UnreadableSkill[] = [];
    for (const parent of skillFolders) {
      const folders = await this.#files.list(parent, skillLimits.skills);
      if (!folders.ok && folders.error.code !== 'not_found') return folders;
      for (const { name, kind } of folders.ok ? folders.value.entries : []) {
        if (kind === 'file') continue;
        const skill = await this.#lookAt(parent, name, kind);
        if (skill.ok) found.push(skill.value);
        else unreadable.push({ name, folder: `${parent}/${name}`, fault: placedMessage(skill.error) });
      }
    }
    return ok({ skills: markShadowed(found), unreadable });
  }

  async #lookAt(parent: string, name: string, kind: FileEntry['kind']): Promise<Result<WorkspaceSkill>> {
    if (kind !== 'folder') return err(fail('unsupported', 'skills.hasLink', { name }));
    return skillName.test(name) ? this.#look(parent, name) : err(badName);
  }

  async #look(parent: string, name: string): Promise<Result<WorkspaceSkill>> {
    const folder = `${parent}/${name}`;
    const files = await readWorkspaceSkill(this.#files, folder, name);
    if (!files.ok) return files;
    const text = skillTextOf(files.value, name);
    if (!text.ok) return text;
    const digest = digestOfSkill(files.value);
    const { head, warnings } = readSkillFile(name, text.value);
    return ok({
      name,
      description: head.description,
      folder,
      own: parent === base && (await isThere(this.#files, `${folder}/${installedMark}`)),
      copied: await isThere(this.#files, `${folder}/${syncedMark}`),
      known: this.#record.knows(name, digest),
      off: this.#record.isSwitchedOn(name) === false,
      shadowed: false,
      digest,
      files: [...files.value.keys()].sort(),
      warnings,
    });
  }

  files(folder: string, name: string): Promise<Result<SkillFiles>> {
    return readWorkspaceSkill(this.#files, folder, name);
  }

  async read(name: string): Promise<Result<SkillContent>> {
    if (!skillName.test(name)) return err(badName);
    const all = await this.list();
    if (!all.ok) return all;
    const skill = all.value.find((each) => each.name === name);
    if (!skill) return err(noSkill(name));
    if (skill.off) return err(fail('forbidden', 'skills.isOff', { name }));
    if (!skill.known) return err(fail('forbidden', 'skills.notAccepted', { name, folder: skill.folder }));
    const files = await readWorkspaceSkill(this.#files, skill.folder, name);
    if (!files.ok) return files;
    // The agent could have changed it since the look.
    if (digestOfSkill(files.value) !== skill.digest)
      return err(fail('forbidden', 'skills.notAccepted', { name, folder: skill.folder }));
    const text = skillTextOf(files.value, name);
    return text.ok ? ok({ skill, text: text.value }) : text;
  }

  async ownText(name: string): Promise<Result<string | null>> {
    if (!skillName.test(name)) return err(badName);
    const folder = await exists(this.#files, folderOf(name));
    if (!folder.ok) return folder;
    if (!folder.value) return ok(null);
    const marked = await exists(this.#files, markOf(name));
    if (!marked.ok) return marked;
    if (!marked.value) return err(notYours(name));
    const read = await this.#files.read(fileOf(name), { maxBytes });
    if (!read.ok) return read.error.code === 'not_found' ? ok('') : read;
    return skillTextOf(new Map([[skillFileName, read.value.bytes]]), name);
  }

  async install(name: string, text: string): Promise<Result<void>> {
    const before = await this.ownText(name);
    if (!before.ok) return before;
    // Other files in the folder were not shown to the operator, so they are removed.
    const cleared = before.value === null ? ok(undefined) : await this.#files.remove(folderOf(name), true);
    if (!cleared.ok) return cleared;
    const made = await this.#files.makeFolder(folderOf(name), true);
    if (!made.ok) return made;
    // The mark comes first, so that after a crash the skill can be installed again or removed.
    const marked = await put(this.#files, markOf(name), markText);
    if (!marked.ok) return marked;
    const noted = this.#record.skill(name, digestOfSkill(new Map([[skillFileName, utf8(text)]])));
    return noted.ok ? put(this.#files, fileOf(name), text) : noted;
  }

  async uninstall(name: string): Promise<Result<void>> {
    const before = await this.ownText(name);
    if (!before.ok) return before;
    if (before.value === null) return err(noSkill(name));
    const gone = await this.#files.remove(folderOf(name), true);
    return gone.ok ? this.#record.skill(name, null) : gone;
  }
}

export const createWorkspaceSkills = (files: ConfinedFiles, record: InstalledRecord): WorkspaceSkills =>
  new Shelf(files, record);

/**
 * The skills in an agent's workspace, in the official client's layout: `.claude/skills/NAME/SKILL.md`, with
 * `agent-installed.md` beside those the agent installed itself. Only those are ever changed here.
 */
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { maxSkill, type Skill, skillName, skillOf } from '../../../core/agents/skills.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { decodeFileText } from '../files/file-text.ts';
import type { InstalledRecord } from './installed.ts';

const base = '.claude/skills';
const markText =
  'This skill was installed by the agent itself, with install_skill. It may change and remove it.\n';
const maxSkills = 500;
const maxBytes = maxSkill * 4;

export interface WorkspaceSkill extends Skill {
  /** True if the agent installed it, so that it may change and remove it. */
  readonly own: boolean;
  /** True if the text is the approved one; no person reviewed any other (T9). */
  readonly known: boolean;
}

export interface WorkspaceSkills {
  list(): Promise<Result<readonly WorkspaceSkill[]>>;
  read(name: string): Promise<Result<string>>;
  /** The current text, or `null` if the skill does not exist. `conflict` if the agent did not install it. */
  ownText(name: string): Promise<Result<string | null>>;
  install(name: string, text: string): Promise<Result<void>>;
  uninstall(name: string): Promise<Result<void>>;
  /** The absolute path of the skill's file. */
  place(name: string): string;
}

const folderOf = (name: string): string => `${base}/${name}`;
const fileOf = (name: string): string => `${folderOf(name)}/SKILL.md`;
const markOf = (name: string): string => `${folderOf(name)}/agent-installed.md`;

const noSkill = (name: string) =>
  fail('not_found', 'tools.unknownSkill', { name }, { help: 'tools.useListSkills' });
const notYours = (name: string) =>
  fail('conflict', 'tools.skillNotYours', { name }, { help: 'spaces.chooseAnotherName' });
const badName = fail('invalid_input', 'tools.invalidSkillName', {}, { help: 'tools.skillNameRules' });

async function readSkill(files: ConfinedFiles, name: string): Promise<Result<string>> {
  if (!skillName.test(name)) return err(badName);
  const read = await files.read(fileOf(name), { maxBytes });
  if (!read.ok) return read.error.code === 'not_found' ? err(noSkill(name)) : read;
  const text = decodeFileText(read.value.bytes);
  if (text !== null && read.value.size <= maxBytes) return ok(text);
  return err(fail('unsupported', 'tools.skillNotText', { name }));
}

async function exists(files: ConfinedFiles, path: string): Promise<Result<boolean>> {
  const found = await files.stat(path);
  if (found.ok) return ok(true);
  return found.error.code === 'not_found' ? ok(false) : found;
}

async function put(files: ConfinedFiles, path: string, text: string): Promise<Result<void>> {
  const there = await exists(files, path);
  return there.ok ? files.write(path, utf8(text), there.value ? 'replace' : 'create') : there;
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
    const folders = await this.#files.list(base, maxSkills);
    if (!folders.ok) return folders.error.code === 'not_found' ? ok([]) : folders;
    const found: WorkspaceSkill[] = [];
    for (const { name, kind } of folders.value.entries) {
      if (kind !== 'folder' || !skillName.test(name)) continue;
      const text = await this.read(name);
      if (!text.ok) continue;
      const own = await exists(this.#files, markOf(name));
      const known = this.#record.knows(name, text.value);
      found.push({ ...skillOf(name, text.value), own: own.ok && own.value, known });
    }
    return ok(found);
  }

  read(name: string): Promise<Result<string>> {
    return readSkill(this.#files, name);
  }

  async ownText(name: string): Promise<Result<string | null>> {
    if (!skillName.test(name)) return err(badName);
    const folder = await exists(this.#files, folderOf(name));
    if (!folder.ok) return folder;
    if (!folder.value) return ok(null);
    const marked = await exists(this.#files, markOf(name));
    if (!marked.ok) return marked;
    if (!marked.value) return err(notYours(name));
    const text = await this.read(name);
    return text.ok || text.error.code !== 'not_found' ? text : ok('');
  }

  async install(name: string, text: string): Promise<Result<void>> {
    const before = await this.ownText(name);
    if (!before.ok) return before;
    const made = before.value === null ? await this.#files.makeFolder(folderOf(name), true) : ok(undefined);
    if (!made.ok) return made;
    // The mark comes first, so that after a crash the skill can be installed again or removed.
    const marked = await put(this.#files, markOf(name), markText);
    if (!marked.ok) return marked;
    const noted = this.#record.skill(name, text);
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

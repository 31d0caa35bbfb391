import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { ConfinedFiles, FileEntry } from '../../core/tools/confined-files.ts';
import { maxFileLength } from '../../core/workflows/file/read-workflow.ts';
import { say } from '../../language/say.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';

// Workflow files on disk. Every read is confined to one folder and follows no link out of it (T14).

export const workflowExtensions: readonly string[] = ['.puppy', '.lobster', '.yaml', '.yml', '.json'];

/** Bytes; a character has at most four. */
const maxBytes = maxFileLength * 4;
const maxListed = 1_000;
const maxDepth = 4;

export interface FoundWorkflowFile {
  /** Absolute. */
  readonly path: string;
  readonly changedAt: number;
  readonly example: boolean;
}

export interface ReadFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly text: string;
}

export interface WorkflowFiles {
  readonly folder: string;
  list(): Promise<readonly FoundWorkflowFile[]>;
  isExample(path: string): boolean;
  /** Reads a file of the workflow folder, an example, or any other workflow by absolute path. */
  read(file: string): Promise<Result<ReadFile>>;
  /** Reads only files of the workflow folder and examples. */
  readOwn(file: string): Promise<Result<ReadFile>>;
  /**
   * `isSame` compares the text that was read before, or is `null` for a new file; `conflict` if the file has
   * changed.
   */
  save(file: string, text: string, isSame: ((text: string) => boolean) | null): Promise<Result<string>>;
  remove(file: string): Promise<Result<void>>;
}

export const isWorkflow = (name: string): boolean => workflowExtensions.includes(extname(name).toLowerCase());

const notOurs = fail('forbidden', 'workflows.workflowFolderOnly', {}, { help: 'workflows.examplesReadOnly' });

const changed = fail(
  'conflict',
  'workflows.fileChangedSinceRead',
  {},
  { help: 'workflows.readAgainOrRename' },
);

/** Access confined to one folder. */
export const filesBelow = (folder: string, writable = false): ConfinedFiles =>
  createConfinedFiles({ cwd: folder, readable: [folder], writable: writable ? [folder] : [] });

export async function readWorkflowText(files: ConfinedFiles, path: string): Promise<Result<ReadFile>> {
  const place = files.resolve(path, 'read');
  if (!place.ok) return place;
  const found = await files.read(path, { maxBytes });
  if (!found.ok) return found;
  if (found.value.size > maxBytes)
    return err(fail('too_large', 'workflows.fileTooLarge', {}, { where: path }));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(found.value.bytes);
    return ok({ path: place.value, text });
  } catch {
    return err(fail('invalid_input', 'workflows.fileNotUtf8', {}, { where: path }));
  }
}

async function listBelow(files: ConfinedFiles, folder: string, depth = 0): Promise<FoundWorkflowFile[]> {
  const listed = await files.list(folder, maxListed);
  if (!listed.ok) return [];
  const found: FoundWorkflowFile[] = [];
  const look = async ({ name, kind, modifiedAt }: FileEntry): Promise<void> => {
    const path = join(folder, name);
    if (kind === 'file' && isWorkflow(name)) found.push({ path, changedAt: modifiedAt, example: false });
    if (kind === 'folder' && !name.startsWith('.') && depth < maxDepth)
      found.push(...(await listBelow(files, path, depth + 1)));
  };
  for (const entry of listed.value.entries) if (found.length < maxListed) await look(entry);
  return found;
}

const isBelow = (folder: string, path: string): boolean => path !== folder && isInside(folder, path);

/** The folder is created with the first file. */
async function saveText(
  folder: string,
  path: string,
  text: string,
  isSame: ((text: string) => boolean) | null,
): Promise<Result<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = filesBelow(folder, true);
  const made =
    dirname(path) === folder ? ok(undefined) : await files.makeFolder(dirname(path), true, 'private');
  if (!made.ok) return made;
  if (isSame) {
    const before = await readWorkflowText(files, path);
    if (!before.ok) return before;
    if (!isSame(before.value.text)) return err(changed);
  }
  return files.write(path, new TextEncoder().encode(text), isSame ? 'replace' : 'create');
}

/** Workflows that Kennel ships. They may be inside the app's archive, which supports only plain reads. */
interface ShippedWorkflows {
  holds(path: string): boolean;
  list(): readonly FoundWorkflowFile[];
  /** By name or absolute path. */
  read(file: string): Result<ReadFile>;
}

function createShippedWorkflows(folder: string | null): ShippedWorkflows {
  const root = folder === null ? null : resolve(folder);
  const names = (): readonly string[] => {
    try {
      return root === null ? [] : readdirSync(root).filter((name) => name.endsWith('.puppy'));
    } catch {
      return [];
    }
  };
  const holds = (path: string): boolean => root !== null && isBelow(root, path);
  return {
    holds,
    list: () => names().map((name) => ({ path: join(root ?? '', name), changedAt: 0, example: true })),
    read(file) {
      const path = resolve(root ?? '', file);
      const name = names().find((each) => join(root ?? '', each) === path);
      if (name === undefined)
        return err(fail('not_found', 'workflows.unknownWorkflow', { name: file }, { where: file }));
      return ok({ path, text: readFileSync(path, 'utf8') });
    },
  };
}

export function createWorkflowFiles(folder: string, examples: string | null): WorkflowFiles {
  const own = (): ConfinedFiles | null => (existsSync(folder) ? filesBelow(folder, true) : null);
  const shipped = createShippedWorkflows(examples);
  /** Resolves a name below the workflow folder. */
  const ownPath = (file: string): Result<string> => {
    const path = resolve(folder, file);
    if (!isBelow(folder, path)) return err(notOurs);
    if (isWorkflow(path)) return ok(path);
    const message = say('workflows.invalidExtension', { endings: workflowExtensions.join(', ') });
    return err(
      appError('invalid_input', message, {
        hint: say('workflows.addPuppyExtension', { name: basename(path) }),
      }),
    );
  };
  return {
    folder,
    isExample: shipped.holds,
    async list() {
      const mine = own();
      const found = mine ? await listBelow(mine, folder) : [];
      return [...found.sort((a, b) => a.path.localeCompare(b.path)), ...shipped.list()];
    },
    async read(file) {
      const path = resolve(folder, file);
      if (shipped.holds(path)) return shipped.read(path);
      const home = dirname(path);
      if (!existsSync(home))
        return err(fail('not_found', 'workflows.unknownFile', { name: file }, { where: file }));
      const root = isBelow(folder, path) && existsSync(folder) ? folder : home;
      return readWorkflowText(filesBelow(root), path);
    },
    async readOwn(file) {
      const mine = own();
      const found = mine && (await readWorkflowText(mine, file));
      return found?.ok ? found : shipped.read(file);
    },
    async save(file, text, isSame) {
      const path = ownPath(file);
      if (!path.ok) return path;
      if (text.length > maxFileLength) return err(fail('too_large', 'workflows.workflowTextTooLong'));
      const saved = await saveText(folder, path.value, text, isSame);
      return saved.ok ? path : saved;
    },
    async remove(file) {
      const path = ownPath(file);
      if (!path.ok) return path;
      const files = own();
      return files
        ? files.remove(path.value, false)
        : err(fail('not_found', 'workflows.unknownFile', { name: file }));
    },
  };
}

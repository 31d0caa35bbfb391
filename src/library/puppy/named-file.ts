import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { didYouMean } from '../../core/lib/did-you-mean.ts';
import { formOf, type WorkflowSource } from './read-source.ts';

// A workflow by its name: a file in the folder of workflows of Kennel, or in one called so here. What lies where it is named goes first.

const ending = /\.(puppy|lobster|ya?ml|json)$/i;
const oneName = /^[^\s|'"\\]+$/;
/** As the window looks. */
const maxDepth = 4;
const maxFiles = 1_000;

interface Found {
  /** Absolute. */
  readonly file: string;
  /** As it stands below its folder: `team/weekly.puppy`. */
  readonly name: string;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function filesBelow(root: string, below = '', depth = 0): readonly Found[] {
  const found: Found[] = [];
  for (const entry of entriesOf(path.join(root, below))) {
    const name = path.posix.join(below, entry.name);
    if (entry.isFile() && ending.test(entry.name)) found.push({ file: path.join(root, name), name });
    if (entry.isDirectory() && !entry.name.startsWith('.') && depth < maxDepth)
      found.push(...filesBelow(root, name, depth + 1));
    if (found.length >= maxFiles) break;
  }
  return found;
}

/** By what stands below the folder, or the name of the file alone; each with or without its ending. */
const namesOf = ({ name }: Found): readonly string[] =>
  [name, path.posix.basename(name)].flatMap((each) => [each, each.replace(ending, '')]);

const quoted = (word: string): string => JSON.stringify(word.slice(0, 80));

/** Null: nothing is called so, nor nearly so. */
function fileNamed(word: string, isFile: boolean, folders: readonly string[]): Result<string | null> {
  const found = [...new Set(folders)].flatMap((folder) => filesBelow(folder));
  const fits = found.filter((each) => namesOf(each).includes(word));
  const [only, second] = fits;
  if (only && !second) return ok(only.file);
  if (only) {
    const files = fits.map(({ file }) => file).join(', ');
    const message = `${quoted(word)} is the name of ${fits.length} workflows: ${files}.`;
    return err(appError('invalid_input', message, { hint: 'Say which file.' }));
  }
  const close = didYouMean(word, [...new Set(found.flatMap(namesOf))]);
  if (close === null) return ok(null);
  const message = isFile ? `There is no workflow ${quoted(word)}.` : `Unknown command: ${word}.`;
  return err(appError('not_found', message, { hint: `Did you mean the workflow ${quoted(close)}?` }));
}

/**
 * The same source, with the file that it means where it is the name of one below a folder of workflows. What lies at that place, and
 * commands of pipelines, go first.
 */
export async function foundByName(
  source: WorkflowSource,
  { cwd, folders }: { readonly cwd: string; readonly folders: readonly string[] },
): Promise<Result<WorkflowSource>> {
  const form = formOf(source);
  const isFile = 'file' in form;
  const word = isFile ? form.file : 'pipeline' in form ? form.pipeline : null;
  if (typeof word !== 'string' || !oneName.test(word) || existsSync(path.resolve(cwd, word)))
    return ok(source);
  if (!isFile && (await import('../../core/workflows/pipeline/command-table.ts')).commandNamed(word))
    return ok(source);
  const file = fileNamed(word, isFile, folders);
  return file.ok && file.value !== null ? ok({ file: file.value }) : file.ok ? ok(source) : file;
}

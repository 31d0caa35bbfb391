import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../../core/lib/did-you-mean.ts';
import { formOf, type WorkflowSource } from '../../library/puppy/read-source.ts';
import { dataFolder } from '../home.ts';
import { CommandFailure } from '../terminal.ts';

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

const refused = (code: 'not_found' | 'invalid_input', message: string, hint: string): CommandFailure =>
  new CommandFailure({ code, message, hint }, 2);

/** Null: nothing is called so, nor nearly so. */
function fileNamed(word: string, isFile: boolean): string | null {
  const folders = new Set([path.resolve('workflows'), path.join(dataFolder(process.env), 'workflows')]);
  const found = [...folders].flatMap((folder) => filesBelow(folder));
  const fits = found.filter((each) => namesOf(each).includes(word));
  const [only, second] = fits;
  if (only && !second) return only.file;
  if (only) {
    const files = fits.map(({ file }) => file).join(', ');
    throw refused(
      'invalid_input',
      `${quoted(word)} is the name of ${fits.length} workflows: ${files}.`,
      'Say which file.',
    );
  }
  const close = didYouMean(word, [...new Set(found.flatMap(namesOf))]);
  if (close === null) return null;
  const what = isFile ? `There is no workflow ${quoted(word)}.` : `Unknown command: ${word}.`;
  throw refused('not_found', what, `Did you mean the workflow ${quoted(close)}?`);
}

/** The same source, with the file that it means where it is a name. What lies at that place, and commands of pipelines, go first. */
export async function foundByName(source: WorkflowSource, cwd: string): Promise<WorkflowSource> {
  const form = formOf(source);
  const isFile = 'file' in form;
  const word = isFile ? form.file : 'pipeline' in form ? form.pipeline : null;
  if (typeof word !== 'string' || !oneName.test(word) || existsSync(path.resolve(cwd, word))) return source;
  if (!isFile && (await import('../../core/workflows/pipeline/command-table.ts')).commandNamed(word))
    return source;
  const file = fileNamed(word, isFile);
  return file === null ? source : { file };
}

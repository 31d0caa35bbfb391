import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { shippedFolder } from '../../services/disk/package-root.ts';
import { formOf, readTextFile, type WorkflowSource } from './read-source.ts';

// Finds a workflow by file name or by its `name:` field, as the window shows it. Order: an existing path, the
// workflow folders, the examples. The chosen file is always reported.

const ending = /\.(puppy|lobster|ya?ml|json)$/i;
const oneWord = /^[^\s|'"\\]+$/;
/** In a pipeline the name would be its first stage. */
const someWords = /^[^|'"\\\n]+$/;
/** The same limit as in the window. */
const maxDepth = 4;
const maxFiles = 1_000;

export interface NamedPlaces {
  /** Base of relative paths. */
  readonly cwd: string;
  /** Workflow folders. A name that two of their files share is an error. */
  readonly folders: readonly string[];
  /** Searched last. */
  readonly examples: string;
}

export interface NamedSource {
  readonly source: WorkflowSource;
  /** Absolute, or `null` if the source is not a name. */
  readonly found: string | null;
  /** Another file with this name, not used because the path itself exists. */
  readonly hidden: string | null;
}

export const examplesFolder = (): string => shippedFolder(import.meta.dirname);

interface Found {
  /** Absolute. */
  readonly file: string;
  /** Path below its folder: `team/weekly.puppy`. */
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

/** Path below the folder or base name, each with and without extension. */
const namesOf = ({ name }: Found): readonly string[] =>
  [name, path.posix.basename(name)].flatMap((each) => [each, each.replace(ending, '')]);

/** Compares the file's `name:`; parses only files that contain the word. */
async function saysItIs({ file }: Found, word: string): Promise<boolean> {
  const text = readTextFile(file);
  if (!text.ok || !text.value.includes(word)) return false;
  const { readWorkflow } = await import('../../core/workflows/file/read-workflow.ts');
  return readWorkflow(text.value).definition?.name === word;
}

async function called(word: string, found: readonly Found[]): Promise<readonly Found[]> {
  const fits: Found[] = [];
  for (const each of found) if (namesOf(each).includes(word) || (await saysItIs(each, word))) fits.push(each);
  return fits;
}

const quoted = (word: string): string => JSON.stringify(word.slice(0, 80));

/** `null` if no workflow has this or a similar name. */
async function fileNamed(word: string, isFile: boolean, places: NamedPlaces): Promise<Result<string | null>> {
  const own = [...new Set(places.folders)].flatMap((folder) => filesBelow(folder));
  const shipped = filesBelow(places.examples);
  const mine = await called(word, own);
  const fits = mine.length > 0 ? mine : await called(word, shipped);
  const [only, second] = fits;
  if (only && !second) return ok(only.file);
  if (only) {
    const files = fits.map(({ file }) => file).join(', ');
    const message = say('workflows.severalWorkflows', { word: quoted(word), fits: fits.length, files });
    return err(appError('invalid_input', message, { hint: say('workflows.sayWhichFile') }));
  }
  if (!oneWord.test(word)) return ok(null);
  const close = didYouMean(word, [...new Set([...own, ...shipped].flatMap(namesOf))]);
  if (close === null) return ok(null);
  const message = isFile
    ? say('workflows.unknownWorkflow', { name: quoted(word) })
    : say('workflows.unknownCommand', { word });
  return err(
    appError('not_found', message, { hint: say('workflows.didYouMeanWorkflow', { close: quoted(close) }) }),
  );
}

const isCommand = async (word: string): Promise<boolean> => {
  const { commandNamed } = await import('../../core/workflows/pipeline/command-table.ts');
  return commandNamed(word) !== undefined;
};

/** An existing path wins; for a plain name another file of that name is reported too. */
function atItsPath(word: string, source: WorkflowSource, { cwd, folders }: NamedPlaces): NamedSource | null {
  const place = path.resolve(cwd, word);
  if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const plain = word === path.basename(word);
  const others = plain ? folders.flatMap((folder) => filesBelow(folder)) : [];
  const hidden = others.find((each) => each.file !== place && namesOf(each).includes(word));
  return { source, found: hidden ? place : null, hidden: hidden?.file ?? null };
}

/** The source with a name replaced by its file. Pipeline commands take precedence over names. */
export async function foundByName(source: WorkflowSource, places: NamedPlaces): Promise<Result<NamedSource>> {
  const form = formOf(source, places.cwd);
  const isFile = 'file' in form;
  const text = isFile ? form.file : 'pipeline' in form ? form.pipeline : null;
  const itself = ok({ source, found: null, hidden: null });
  if (typeof text !== 'string') return itself;
  const word = text.trim();
  if (!(isFile ? oneWord : someWords).test(word)) return itself;
  if (isFile) {
    const there = atItsPath(word, source, places);
    if (there) return ok(there);
  } else if (await isCommand(word.split(/\s/, 1)[0] ?? '')) return itself;
  const file = await fileNamed(word, isFile, places);
  if (!file.ok) return file;
  return file.value === null ? itself : ok({ source: { file: file.value }, found: file.value, hidden: null });
}

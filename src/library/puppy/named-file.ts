import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { didYouMean } from '../../core/lib/did-you-mean.ts';
import { shippedFolder } from '../../services/disk/package-root.ts';
import { formOf, readTextFile, type WorkflowSource } from './read-source.ts';

// A workflow by its name, which is that of its file, or the one that stands in it, as the window shows it. What lies where it is named
// goes first, then the folder of workflows of Kennel and one called so here, then the examples. Which file was found is always told.

const ending = /\.(puppy|lobster|ya?ml|json)$/i;
const oneWord = /^[^\s|'"\\]+$/;
/** Of a pipeline it would be the first stage. */
const someWords = /^[^|'"\\\n]+$/;
/** As the window looks. */
const maxDepth = 4;
const maxFiles = 1_000;

export interface NamedPlaces {
  /** Where a path begins. */
  readonly cwd: string;
  /** Folders of workflows. What two of their files are called means neither. */
  readonly folders: readonly string[];
  /** Asked where none of them has it. */
  readonly examples: string;
}

export interface NamedSource {
  readonly source: WorkflowSource;
  /** Absolute; null: the source says itself what it is. */
  readonly found: string | null;
  /** Another file of this name, which is not meant, since something lies at the very path. */
  readonly hidden: string | null;
}

/** That of the examples. */
export const examplesFolder = (): string => shippedFolder(import.meta.dirname);

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

/** The file's own `name:`; a file in which the word is nowhere is not taken apart. */
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

/** Null: nothing is called so, nor nearly so. */
async function fileNamed(word: string, isFile: boolean, places: NamedPlaces): Promise<Result<string | null>> {
  const own = [...new Set(places.folders)].flatMap((folder) => filesBelow(folder));
  const shipped = filesBelow(places.examples);
  const mine = await called(word, own);
  const fits = mine.length > 0 ? mine : await called(word, shipped);
  const [only, second] = fits;
  if (only && !second) return ok(only.file);
  if (only) {
    const files = fits.map(({ file }) => file).join(', ');
    const message = `${quoted(word)} is the name of ${fits.length} workflows: ${files}.`;
    return err(appError('invalid_input', message, { hint: 'Say which file.' }));
  }
  if (!oneWord.test(word)) return ok(null);
  const close = didYouMean(word, [...new Set([...own, ...shipped].flatMap(namesOf))]);
  if (close === null) return ok(null);
  const message = isFile ? `There is no workflow ${quoted(word)}.` : `Unknown command: ${word}.`;
  return err(appError('not_found', message, { hint: `Did you mean the workflow ${quoted(close)}?` }));
}

const isCommand = async (word: string): Promise<boolean> => {
  const { commandNamed } = await import('../../core/workflows/pipeline/command-table.ts');
  return commandNamed(word) !== undefined;
};

/** What lies at the path itself is meant; who wrote a mere name hears of another file that is called so, too. */
function atItsPath(word: string, source: WorkflowSource, { cwd, folders }: NamedPlaces): NamedSource | null {
  const place = path.resolve(cwd, word);
  if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const plain = word === path.basename(word);
  const others = plain ? folders.flatMap((folder) => filesBelow(folder)) : [];
  const hidden = others.find((each) => each.file !== place && namesOf(each).includes(word));
  return { source, found: hidden ? place : null, hidden: hidden?.file ?? null };
}

/** The same source, with the file that it means where it is the name of one. Commands of pipelines go before names. */
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

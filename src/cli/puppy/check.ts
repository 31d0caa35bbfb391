import { checkSource } from '../../library/puppy/check-source.ts';
import { pictureFormats, pictureOf } from '../../library/puppy/picture.ts';
import { CommandFailure, usage } from '../terminal.ts';
import { printFindings } from './findings.ts';
import { namedSource } from './named-source.ts';
import { oneWord, readWords } from './words.ts';

// `puppy check` and `puppy graph`: examine a file without running it.

export async function checkCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, { json: 'switch', file: 'text' });
  const file = words.text('file');
  const source = file === undefined ? oneWord(words, 'a workflow file, or a pipeline in quotes') : { file };
  return printFindings(await namedSource(source), words.has('json'));
}

export async function graphCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, { format: 'text', file: 'text', json: 'switch' });
  const named = words.text('file') ?? oneWord(words, 'a workflow file');
  const wanted = words.text('format') ?? 'mermaid';
  const format = pictureFormats.find((each) => each === wanted);
  if (format === undefined) throw usage(`--format must be one of ${pictureFormats.join(', ')}.`);
  const { definition, findings } = checkSource(await namedSource({ file: named }), process.cwd());
  if (!definition) {
    const first = findings.find(({ severity }) => severity === 'error');
    throw new CommandFailure({
      code: 'invalid_input',
      message: first?.message ?? 'The file cannot be read.',
    });
  }
  const picture = pictureOf(definition, format);
  process.stdout.write(words.has('json') ? `${JSON.stringify({ format, picture })}\n` : picture);
  return 0;
}

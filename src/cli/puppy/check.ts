import { checkSource } from '../../library/puppy/check-source.ts';
import { pictureOf } from '../../library/puppy/picture.ts';
import { formOf, type WorkflowSource } from '../../library/puppy/read-source.ts';
import { CommandFailure, usage } from '../terminal.ts';
import { printable, printableJson, visibleText } from '../visible-text.ts';
import { oneWord, readWords } from './words.ts';

// `puppy check` and `puppy graph`: what a file says, without running it.

const fileOf = (source: WorkflowSource): string => {
  const form = formOf(source);
  return 'file' in form && typeof form.file === 'string' ? form.file : 'pipeline';
};

/** Exit code 1 where it would not start. */
export function printFindings(source: WorkflowSource, json: boolean): number {
  const { findings } = checkSource(source, process.cwd());
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (json) {
    process.stdout.write(`${printableJson(JSON.stringify({ ok: errors === 0, findings }, null, 2))}\n`);
    return errors === 0 ? 0 : 1;
  }
  const lines = findings.map(({ severity, rule, message, hint, line }) => {
    const place = line > 0 ? `${fileOf(source)}:${line}` : fileOf(source);
    return visibleText(`${place}: ${severity}: ${message}${hint === undefined ? '' : ` ${hint}`} [${rule}]`);
  });
  const warnings = findings.length - errors;
  const sum =
    findings.length === 0
      ? `${fileOf(source)}: nothing to complain about.`
      : `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  process.stdout.write(printable(`${[...lines, sum].join('\n')}\n`));
  return errors === 0 ? 0 : 1;
}

export async function checkCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, { json: 'switch', file: 'text' });
  const file = words.text('file');
  const source = file === undefined ? oneWord(words, 'a workflow file, or a pipeline in quotes') : { file };
  return printFindings(source, words.has('json'));
}

export async function graphCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, { format: 'text', file: 'text', json: 'switch' });
  const file = words.text('file') ?? oneWord(words, 'a workflow file');
  const format = words.text('format') ?? 'mermaid';
  if (format !== 'mermaid' && format !== 'svg') throw usage('--format must be mermaid or svg.');
  const { definition, findings } = checkSource({ file }, process.cwd());
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

import { checkSource } from '../../library/puppy/check-source.ts';
import { pictureFormats, pictureOf } from '../../library/puppy/picture.ts';
import { CommandFailure, commandFailure } from '../terminal.ts';
import { requiredWord } from './arguments.ts';
import { printFindings } from './findings.ts';
import { namedSource } from './named-source.ts';

// `puppy check` and `puppy graph`: examine a file without running it.

interface FileFlags {
  readonly json?: boolean;
  readonly file?: string;
}

export async function runCheck(args: readonly string[], { file, json }: FileFlags): Promise<number> {
  const source = file === undefined ? requiredWord(args, 'giveWorkflow') : { file };
  return printFindings(await namedSource(source), json === true);
}

export async function runGraph(
  args: readonly string[],
  flags: FileFlags & { readonly format: string },
): Promise<number> {
  const named = flags.file ?? requiredWord(args, 'giveFile');
  const format = pictureFormats.find((each) => each === flags.format);
  if (format === undefined)
    throw commandFailure('invalid_input', 'cliPuppy.oneOf', {
      flag: '--format',
      values: pictureFormats.join(', '),
    });
  const { definition, findings } = checkSource(await namedSource({ file: named }), process.cwd());
  if (!definition) {
    const first = findings.find(({ severity }) => severity === 'error');
    throw first
      ? new CommandFailure({ code: 'invalid_input', message: first.message })
      : commandFailure('invalid_input', 'cliPuppy.fileUnreadable');
  }
  const picture = pictureOf(definition, format);
  process.stdout.write(flags.json ? `${JSON.stringify({ format, picture })}\n` : picture);
  return 0;
}

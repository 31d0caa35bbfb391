import path from 'node:path';
import { examplesFolder, foundByName } from '../../library/puppy/named-file.ts';
import type { WorkflowSource } from '../../library/puppy/standalone.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { copy } from '../copy.ts';
import { CommandFailure } from '../terminal.ts';
import { printable, visibleTerminalLine } from '../visible-text.ts';

/**
 * Resolves a workflow's name in ./workflows, in Kennel's workflow folder or among the examples. Prints the
 * chosen file on standard error, so that in a shared folder no file is mistaken for another.
 */
export async function namedSource(source: WorkflowSource, cwd = process.cwd()): Promise<WorkflowSource> {
  const folders = [path.resolve('workflows'), path.join(dataFolder(process.env), 'workflows')];
  const named = await foundByName(source, { cwd, folders, examples: examplesFolder() });
  if (!named.ok) throw new CommandFailure(named.error, 2);
  const { found, hidden } = named.value;
  if (found !== null) {
    const chosen =
      hidden === null
        ? copy('cliPuppy.foundFile', { file: found })
        : copy('cliPuppy.foundFileAndHidden', { file: found, other: hidden });
    process.stderr.write(printable(`${visibleTerminalLine(chosen)}\n`));
  }
  return named.value.source;
}

import path from 'node:path';
import { foundByName } from '../../library/puppy/named-file.ts';
import type { WorkflowSource } from '../../library/puppy/standalone.ts';
import { dataFolder } from '../home.ts';
import { CommandFailure } from '../terminal.ts';

/** What the words of a command mean: also the name of a workflow in Kennel's folder of them, or in one called so here. */
export async function namedSource(source: WorkflowSource, cwd = process.cwd()): Promise<WorkflowSource> {
  const folders = [path.resolve('workflows'), path.join(dataFolder(process.env), 'workflows')];
  const found = await foundByName(source, { cwd, folders });
  if (!found.ok) throw new CommandFailure(found.error, 2);
  return found.value;
}

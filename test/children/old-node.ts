/** Runs a `kennel` command line with another Node, which stands for a Node that is too old. */
import path from 'node:path';
import { runWith } from '../../src/cli/newer-node.ts';

const entry = path.join(import.meta.dirname, '../../src/cli/kennel.ts');
process.exitCode = await runWith(process.execPath, entry, process.argv.slice(2));

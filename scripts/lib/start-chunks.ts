/**
 * What a start always loads lies in few files: each one is found, read and linked by itself, and dozens of small ones took
 * longer than what they hold. What commands that need no host share with the rest stays apart, so that they load nothing
 * of it; and a workflow that runs without a host loads two files of its own, of which the host shares one.
 */
import path from 'node:path';
import { loadedWith, type ModuleGraph } from './module-graph.ts';

/** Modules are named with slashes on every system. */
const src = path.resolve(import.meta.dirname, '../../src').replaceAll('\\', '/');
const quick = ['kennel', 'status', 'main', 'session', 'commands/mcp', 'commands/logs', 'commands/host'].map(
  (name) => `${src}/cli/${name}.ts`,
);
const start = [`${src}/cli/quick-start.ts`];
/** A workflow without a host. What it shares with the quick commands is their words: how they tell and where things lie. */
const puppy = [
  'cli/puppy/main.ts',
  'cli/puppy/run.ts',
  'library/puppy/standalone.ts',
  'library/puppy/workshop.ts',
].map((file) => `${src}/${file}`);

/** The relay alone, or a worker, needs the words of the contract and no host. */
const isBase = (id: string): boolean =>
  ['contract', 'core'].some((room) => id.startsWith(`${src}/${room}/`)) ||
  /\/node_modules\/(zod|yaml)\//.test(id);

/** How the bundle of the command line is cut into files. */
export function startSplitting() {
  let apart: Set<string> | null = null;
  let always: Set<string> | null = null;
  let alone: Set<string> | null = null;
  const name = (id: string, graph: ModuleGraph): string | null => {
    apart ??= loadedWith(graph, quick);
    always ??= loadedWith(graph, start);
    alone ??= loadedWith(graph, puppy);
    if (apart.has(id)) return alone.has(id) ? 'words' : null;
    if (alone.has(id)) return always.has(id) ? 'shared' : 'puppy';
    if (!always.has(id)) return null;
    return isBase(id) ? 'base' : 'host';
  };
  // Dependencies would take what stays apart along.
  return { includeDependenciesRecursively: false, groups: [{ name, debugName: 'start' }] };
}

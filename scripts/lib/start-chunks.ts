/**
 * Puts the modules of every start into few chunks: each chunk is found, read and linked separately, and
 * dozens of small ones took longer than their contents. Modules that host-free commands share with the rest
 * are separate, so that these commands load nothing else. A workflow without a host loads two chunks of its
 * own, one of which the host shares.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { loadedWith, type ModuleGraph } from './module-graph.ts';

/** Module ids use slashes on every system. */
const src = path.resolve(import.meta.dirname, '../../src').replaceAll('\\', '/');
/** Commands that check their input with schemas share them with the host. */
const withSchemas = ['policy.ts', 'files.ts'];
const commands = readdirSync(`${src}/cli/commands`)
  .filter((name) => !name.endsWith('.test.ts') && !withSchemas.includes(name))
  .map((name) => `${src}/cli/commands/${name}`);
const quick = [
  ...['kennel', 'status', 'main', 'host-call'].map((name) => `${src}/cli/${name}.ts`),
  ...commands,
];
const start = [`${src}/cli/in-process.ts`];
/** A workflow without a host. It shares with the quick commands only their output and paths. */
const puppy = [
  'cli/puppy/commands.ts',
  'cli/puppy/run.ts',
  'library/puppy/standalone.ts',
  'library/puppy/standalone-runtime.ts',
].map((file) => `${src}/${file}`);

/** Loaded by every command besides the parser. */
const always = [
  ...['command', 'progress', 'registry', 'failure', 'help-texts'].map((name) => `${src}/cli/${name}.ts`),
  `${src}/library/closest-name.ts`,
  `${src}/language/english/help.ts`,
];

/** The relay alone, or a worker, needs these and what they load, but no host. */
const isRule = (id: string): boolean =>
  ['contract', 'core', 'language'].some((folder) => id.startsWith(`${src}/${folder}/`));

/** Splits the bundle of the command line into chunks. */
export function startSplitting() {
  let apart: Set<string> | null = null;
  let started: Set<string> | null = null;
  let alone: Set<string> | null = null;
  let base: Set<string> | null = null;
  const name = (id: string, graph: ModuleGraph): string | null => {
    apart ??= loadedWith(graph, quick);
    started ??= loadedWith(graph, start);
    alone ??= loadedWith(graph, puppy);
    if (apart.has(id)) return alone.has(id) || always.includes(id) ? 'words' : null;
    if (alone.has(id)) return started.has(id) ? 'shared' : 'puppy';
    if (!started.has(id)) return null;
    // With all that it loads: chunks that load each other would run in the wrong order.
    base ??= loadedWith(graph, [...started].filter(isRule));
    return base.has(id) ? 'base' : 'host';
  };
  // Including dependencies would pull the separate modules in.
  return { includeDependenciesRecursively: false, groups: [{ name, debugName: 'start' }] };
}

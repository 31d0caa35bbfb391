/**
 * Splits the page into chunks. The first paint needs one chunk; each page, each global dialog and each screen
 * without the frame has its own. Shared modules go into few chunks, because each chunk is requested and
 * linked separately.
 */
import { loadedWith, type ModuleGraph } from './module-graph.ts';

/** The first page that a user sees, whose modules most others share. */
const first = 'home/home.tsx';

/** Modules that are only loaded later, by `import()`. */
function loadedLater(graph: ModuleGraph, entry: string): Set<string> {
  const later = new Set<string>();
  const seen = new Set<string>();
  const look = [entry];
  for (let from = look.pop(); from !== undefined; from = look.pop())
    for (const id of loadedWith(graph, [from])) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const part of graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []) {
        later.add(part);
        look.push(part);
      }
    }
  return later;
}

interface Cut {
  readonly start: ReadonlySet<string>;
  readonly first: ReadonlySet<string>;
  /** Modules that each part loads. */
  readonly parts: readonly ReadonlySet<string>[];
}

function cut(graph: ModuleGraph, folder: string): Cut {
  const entry = `${folder}/main.tsx`;
  return {
    start: loadedWith(graph, [entry]),
    first: loadedWith(graph, [`${folder}/${first}`]),
    parts: [...loadedLater(graph, entry)].map((part) => loadedWith(graph, [part])),
  };
}

/** Modules of the contract that only some parts use. */
const isTool = (id: string): boolean =>
  /\/src\/contract\/(line-diff|image-facts|mcp-settings|codex-settings)\.ts$/.test(id);

/**
 * Schemas of the data from the host; in a browser the connection needs them at once. They must need no other
 * chunk: the other chunks import them.
 */
const isSchema = (id: string): boolean =>
  /\/node_modules\/zod\/|\/quiet-zod\.ts$|\/src\/contract\//.test(id) && !isTool(id);

/** `folder`: of the page's sources. */
export function pageSplitting(folder: string) {
  const place = folder.replaceAll('\\', '/').replace(/\/$/, '');
  let made: Cut | null = null;
  const name = (id: string, graph: ModuleGraph): string | null => {
    made ??= cut(graph, place);
    if (made.start.has(id) || id.includes('rolldown/runtime')) return 'start';
    if (isSchema(id)) return 'schemas';
    const users = made.parts.filter((part) => part.has(id)).length;
    if (users < 2) return null;
    return made.first.has(id) ? 'shared' : 'more';
  };
  return { includeDependenciesRecursively: false, groups: [{ name, debugName: 'page' }] };
}

interface BuiltChunk {
  readonly type: string;
  readonly imports?: readonly string[];
}

/** The first circle of static imports among chunks, or `null`. In a circle, a class may be used before it is defined. */
export function chunkCircle(bundle: Readonly<Record<string, BuiltChunk>>): readonly string[] | null {
  const done = new Set<string>();
  const find = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path, name];
    if (done.has(name)) return null;
    for (const next of bundle[name]?.imports ?? []) {
      const circle = find(next, [...path, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of Object.keys(bundle)) {
    const circle = find(name, []);
    if (circle) return circle;
  }
  return null;
}

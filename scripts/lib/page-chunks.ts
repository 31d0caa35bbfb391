/**
 * How the page is cut into files. What its first paint needs is one file; each place of the house, each dialog that opens
 * from everywhere and each screen without the frame has one of its own; what several of them share lies in few, because each
 * file is asked for and linked by itself.
 */
import { loadedWith, type ModuleGraph } from './module-graph.ts';

/** The first place a person sees, and what most others are made of. */
const first = 'home/home.tsx';

/** Where something is only loaded later: by `import()`. */
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
  /** What each part loads with it. */
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

/** What is parsed at the border; in a browser the line to the host needs it at once. */
const isSchema = (id: string): boolean => /\/node_modules\/zod\/|\/quiet-zod\.ts$|\/src\/contract\//.test(id);

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

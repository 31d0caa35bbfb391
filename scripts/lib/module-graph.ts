/** What a bundler tells of its modules while it cuts them into files. */
export interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/** All that these load before their first line runs. */
export function loadedWith(graph: ModuleGraph, entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const look = [...entries];
  for (let id = look.pop(); id !== undefined; id = look.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    look.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

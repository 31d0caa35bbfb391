/** Module information of a bundler while it splits chunks. */
export interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/** All modules that these entries load before their first line runs. */
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

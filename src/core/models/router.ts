/** Registry of model adapters: registered by name, loaded on first use, one instance each. */
import type { ModelPort } from './model-ports.ts';
import type { AdapterName } from './providers.ts';

export interface ModelRouter {
  /** Replaces an earlier registration of the name. */
  register(name: AdapterName, load: () => Promise<ModelPort>): void;
  names(): readonly AdapterName[];
  /** `null` if none is registered. An adapter that failed to load is loaded again. */
  adapter(name: AdapterName): Promise<ModelPort | null>;
}

export function createModelRouter(): ModelRouter {
  const loaders = new Map<AdapterName, () => Promise<ModelPort>>();
  const loaded = new Map<AdapterName, Promise<ModelPort>>();
  return {
    register(name, load) {
      loaders.set(name, load);
      loaded.delete(name);
    },
    names: () => [...loaders.keys()],
    async adapter(name) {
      const load = loaders.get(name);
      if (!load) return null;
      const known = loaded.get(name) ?? load();
      loaded.set(name, known);
      known.catch(() => loaded.delete(name));
      return known;
    },
  };
}

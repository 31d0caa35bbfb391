/**
 * Parsed configs by file signature, so that a thousand agents start without parsing a thousand YAML files. An
 * entry counts only if the file is unchanged, and losing the cache loses nothing.
 */

import { z } from 'zod';
import { type AgentConfig, agentConfigSchema } from '../../core/agents/agent-config.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';

/** Increment when the schema of a config changes. */
const version = 1;
const maxBytes = 64 * 1024 * 1024;

const cacheSchema = z.object({
  version: z.literal(version),
  agents: z.record(z.string(), z.object({ signature: z.string(), keys: z.string(), config: z.unknown() })),
});

export interface CachedConfig {
  readonly signature: string;
  readonly keys: string;
  readonly config: AgentConfig;
}

export interface ConfigCache {
  find(id: string, signature: string): CachedConfig | null;
}

export function loadConfigCache(disk: DiskPort, path: string): ConfigCache {
  const text = disk.readText(path, maxBytes);
  const parsed = text.ok && text.value !== null ? cacheSchema.safeParse(tryJson(text.value)) : null;
  const agents = new Map(parsed?.success ? Object.entries(parsed.data.agents) : []);
  return {
    find(id, signature) {
      const found = agents.get(id);
      if (!found || signature === '' || found.signature !== signature) return null;
      const config = agentConfigSchema().safeParse(found.config);
      return config.success ? { signature, keys: found.keys, config: config.data } : null;
    },
  };
}

/** A failed cache write is not worth reporting. */
export function saveConfigCache(
  disk: DiskPort,
  path: string,
  agents: ReadonlyMap<string, CachedConfig>,
): void {
  disk.write(path, JSON.stringify({ version, agents: Object.fromEntries(agents) }));
}

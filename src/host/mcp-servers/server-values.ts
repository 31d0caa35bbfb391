import { resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpServerConfig } from '../../core/mcp/server-config.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { ServerSpec } from './server-specs.ts';

export interface ServerValuesDeps {
  readonly env: HostPorts['env'];
  readonly secrets: Secrets['mcp'];
  /** Registers a text for redaction in the log. */
  readonly addSecret: HostPorts['addSecret'];
}

/** Placeholder in an entry for a value that the vault holds. */
export const storedValue = (name: string): string => `\${secret:${name}}`;

export const secretScope = (key: string, name: string) => `mcp:${key}:${name}` as const;

/** Apart from the values, so that no entry can name the tokens as one. */
export const tokenScope = (key: string) => `mcp-tokens:${key}` as const;

/** Names of the values that the vault holds for this server. */
export function storedNames({ config }: Pick<ServerSpec, 'config'>): readonly string[] {
  const values = Object.entries(config.type === 'http' ? config.headers : config.env);
  return values.filter(([name, value]) => value === storedValue(name)).map(([name]) => name);
}

/** `${NAME}` and `${NAME:-default}`, as other clients write them in `.mcp.json`. */
const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** The configuration with its values: those of the vault, and those of Kennel's own environment. */
export function withValues(
  { config, key, folder }: Pick<ServerSpec, 'config' | 'key' | 'folder'>,
  { env, secrets, addSecret }: ServerValuesDeps,
): Result<McpServerConfig> {
  const missing: string[] = [];
  const expand = (text: string): string =>
    text.replace(variable, (_, name: string, fallback?: string) => {
      const value = env[name] ?? fallback;
      if (value === undefined) missing.push(name);
      return value ?? '';
    });
  const values = (given: Readonly<Record<string, string>>): Result<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const [name, value] of Object.entries(given)) {
      if (value !== storedValue(name)) {
        found[name] = expand(value);
        continue;
      }
      const stored = secrets.get(secretScope(key, name));
      if (!stored.ok) return stored;
      if (stored.value === null) missing.push(name);
      else addSecret(stored.value);
      found[name] = stored.value ?? '';
    }
    return ok(found);
  };
  const given = values(config.type === 'http' ? config.headers : config.env);
  if (!given.ok) return given;
  const full: McpServerConfig =
    config.type === 'http'
      ? { ...config, url: expand(config.url), headers: given.value }
      : {
          ...config,
          command: expand(config.command),
          args: config.args.map(expand),
          env: given.value,
          cwd: resolve(folder, expand(config.cwd ?? '.')),
        };
  const [name] = missing;
  if (name === undefined) return ok(full);
  return err(fail('unavailable', 'mcpServers.secretMissing', { name }, { help: 'mcpServers.setSecret' }));
}

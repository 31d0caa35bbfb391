import { isRecord } from './is-record.ts';

/** Header values may name a variable of the environment instead. */
const variables = (value: unknown): Record<string, string> =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([header, name]) => [header, `\${${String(name)}}`]))
    : {};

function entryOf(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { http_headers: headers, env_http_headers: named, bearer_token_env_var: token, ...entry } = settings;
  if (typeof entry.url !== 'string') return entry;
  return {
    ...entry,
    headers: {
      ...(isRecord(headers) ? headers : {}),
      ...variables(named),
      ...(typeof token === 'string' ? { Authorization: `Bearer \${${token}}` } : {}),
    },
  };
}

/**
 * The servers of Codex as JSON in the form of `.mcp.json`; `null` if `parse`, a parser of TOML, throws. Disabled
 * ones are left out.
 */
export function readCodexSettings(
  text: string,
  parse: (text: string) => Readonly<Record<string, unknown>>,
): string | null {
  let settings: Readonly<Record<string, unknown>>;
  try {
    settings = parse(text);
  } catch {
    return null;
  }
  const servers = isRecord(settings.mcp_servers) ? settings.mcp_servers : {};
  const enabled = Object.entries(servers).flatMap(([name, entry]) =>
    isRecord(entry) && entry.enabled !== false ? [[name, entryOf(entry)] as const] : [],
  );
  return JSON.stringify({ mcpServers: Object.fromEntries(enabled) });
}

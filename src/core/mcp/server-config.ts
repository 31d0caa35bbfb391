/**
 * Configuration of an MCP server: a local program or an address. Reads the entries of `.mcp.json` and of the
 * settings of other clients.
 */
import { z } from 'zod';
import { isRecord } from '../../contract/is-record.ts';

const short = z.string().max(4_000);
const name = z.string().min(1).max(200);

const toolNames = z.array(z.string().min(1).max(500)).max(500);

/** Names of tools, in which `*` stands for any text; a list alone is an allow list. */
const toolFilterSchema = z.preprocess(
  (value) => (Array.isArray(value) ? { allow: value } : value),
  z.object({ allow: toolNames.optional(), deny: toolNames.default([]) }),
);
const offered = { tool_filter: toolFilterSchema.optional() };

const stdioSchema = z.object({
  ...offered,
  type: z.literal('stdio'),
  command: z.string().min(1).max(1_000),
  args: z.array(short).max(100).default([]),
  env: z.record(name, short).default({}),
  /** Absolute, or relative to the folder that the host chooses; that folder if absent. */
  cwd: z.string().min(1).max(4_000).optional(),
});

const webAddress = z
  .string()
  .max(2_000)
  .refine((text) => {
    const url = URL.parse(text);
    return (
      (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
    );
  }, 'an http or https address without a password');

const oauthSchema = z.object({
  /** Id of a client registered beforehand; without one, the client metadata document or registration is used. */
  clientId: z.string().min(1).max(2_000).optional(),
  clientSecret: short.optional(),
  scopes: z.array(name).max(100).optional(),
  /** Address of a client metadata document, which then is the client's id. */
  clientMetadataUrl: webAddress.optional(),
});

const httpSchema = z.object({
  ...offered,
  type: z.literal('http'),
  url: webAddress,
  headers: z.record(name, short).default({}),
  /** `false` never authorizes; `true` and absent authorize when the server demands it. */
  oauth: z.union([z.boolean(), oauthSchema]).optional(),
});

const configSchema = z.discriminatedUnion('type', [stdioSchema, httpSchema]);

export type McpStdioConfig = z.output<typeof stdioSchema>;
export type McpHttpConfig = z.output<typeof httpSchema>;
export type McpServerConfig = z.output<typeof configSchema>;
export type McpOAuthConfig = z.output<typeof oauthSchema>;

const httpNames: readonly unknown[] = ['http', 'streamable-http', 'streamableHttp', 'streamable_http'];

/** Other clients omit `type` or spell it differently. */
function withKnownType(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { enabled_tools: allow, disabled_tools: deny, ...own } = given;
  const hasFilter = allow !== undefined || deny !== undefined;
  const entry = hasFilter ? { tool_filter: { allow, deny }, ...own } : own;
  const { type } = own;
  if (httpNames.includes(type)) return { ...entry, type: 'http' };
  if (type !== undefined) return entry;
  if ('command' in entry) return { ...entry, type: 'stdio' };
  return 'url' in entry ? { ...entry, type: 'http' } : entry;
}

/**
 * Accepts an entry of `.mcp.json`, and those of Claude, Codex and VS Code with the same fields; ignores other
 * fields. The old transport `sse` is refused.
 */
export const mcpServerConfigSchema = z.preprocess(withKnownType, configSchema);

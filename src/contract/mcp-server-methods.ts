/** Methods about the MCP servers that agents use: configuration, acceptance, state. For the operator alone. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { done, row } from './method-row.ts';

/** Of an agent; absent for a server of all agents. */
const owner = { agent: z.string().min(1).max(200).optional() };
const serverRef = z.strictObject({ ...owner, name: z.string().min(1).max(100) });

export const mcpServerStates = [
  'unaccepted',
  'refused',
  'stopped',
  'starting',
  'running',
  'waiting',
  'failed',
] as const;

export const mcpServerViewSchema = z.object({
  name: z.string(),
  /** Id of the agent; `null` for a server of all agents. */
  agent: z.string().nullable(),
  /** File that has the entry: `mcp.json` of the data folder, `.mcp.json` of the workspace, `agent.yml`. */
  source: z.enum(['shared', 'workspace', 'agent']),
  isLocal: z.boolean(),
  /** The exact command line or address, and variables or headers; values that may be secret are left out. */
  launch: z.string(),
  /** Of everything that decides what runs; an acceptance must carry the one that was shown. */
  hash: z.string(),
  state: z.enum(mcpServerStates),
  /** Last failure; empty if none. */
  reason: hostTextSchema,
  /** Page on which the operator authorizes a server that starts; `null` if none waits. */
  authorizePage: z.string().nullable(),
  /** Accepted tools; `null` if the server never ran. */
  tools: z.int().nullable(),
  /** Tools whose definition waits for the operator. */
  changed: z.int(),
});
export type McpServerView = z.output<typeof mcpServerViewSchema>;

/** Claims of a server about its tool; untrusted, and they decide nothing. */
const toolClaimsSchema = z.object({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});

const mcpToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** The definition as text, with invisible characters named. */
  definition: z.string(),
  /** JSON schema of its arguments as the server sent it; untrusted. */
  parameters: z.record(z.string(), z.unknown()),
  claims: toolClaimsSchema,
});
export type McpToolView = z.output<typeof mcpToolSchema>;

export const mcpServerDetailSchema = mcpServerViewSchema.extend({
  accepted: z.array(mcpToolSchema),
  /** `null` if no definition waits. */
  changes: z.object({ digest: z.string(), names: z.array(z.string()), diff: z.string() }).nullable(),
  protocol: z.string().nullable(),
  /** Newest first. */
  calls: z.array(
    z.object({
      tool: z.string(),
      /** `null` for a call by the operator. */
      agent: z.string().nullable(),
      at: z.number(),
      ms: z.number(),
      outcome: z.enum(['ok', 'error', 'failed']),
    }),
  ),
  /** Last lines of its log. */
  log: z.array(z.string()),
});
export type McpServerDetail = z.output<typeof mcpServerDetailSchema>;

/** An entry of `.mcp.json`; the host checks it. */
const entrySchema = z.record(z.string(), z.unknown());

export const mcpServerMethods = {
  /** Without `agent` the servers of all agents, and each agent's own. */
  'mcpServers.list': row(
    () => z.strictObject(owner),
    () =>
      z.object({
        servers: z.array(mcpServerViewSchema),
        invalid: z.array(z.object({ name: z.string(), agent: z.string().nullable(), mistake: z.string() })),
      }),
  ),
  'mcpServers.show': row(
    () => serverRef,
    () => mcpServerDetailSchema,
  ),
  /**
   * Adds an entry; `conflict` if the name is taken and `replace` is not set. `secrets` are variables or headers
   * whose values go to the vault. The command is not accepted by this.
   */
  'mcpServers.add': row(
    () =>
      serverRef.extend({
        entry: entrySchema,
        secrets: z.record(z.string().max(200), z.string().max(32_000)).default({}),
        replace: z.boolean().default(false),
      }),
    () => mcpServerViewSchema,
  ),
  'mcpServers.remove': row(
    () => serverRef,
    () => done,
  ),
  /** Accepts the command or address with this hash; `conflict` if it is not the current one. */
  'mcpServers.accept': row(
    () => serverRef.extend({ hash: z.string().max(100) }),
    () => mcpServerViewSchema,
  ),
  /** Ends the server and withdraws its acceptance. */
  'mcpServers.refuse': row(
    () => serverRef,
    () => mcpServerViewSchema,
  ),
  /** Accepts the changed definitions with this digest; `conflict` if they changed again. */
  'mcpServers.acceptTools': row(
    () => serverRef.extend({ digest: z.string().max(100) }),
    () => mcpServerDetailSchema,
  ),
  /** Starts an accepted server, whatever its earlier failures, and lists its tools. */
  'mcpServers.start': row(
    () => serverRef,
    () => mcpServerDetailSchema,
  ),
  'mcpServers.stop': row(
    () => serverRef,
    () => mcpServerViewSchema,
  ),
  /** Calls an accepted tool of an accepted server for the operator, and starts the server if necessary. */
  'mcpServers.callTool': row(
    () =>
      serverRef.extend({
        tool: z.string().min(1).max(500),
        args: z.record(z.string().max(500), z.unknown()),
      }),
    () =>
      z.object({
        isError: z.boolean(),
        /** With invisible characters named. */
        text: z.string(),
        cut: z.boolean(),
      }),
  ),
} as const;

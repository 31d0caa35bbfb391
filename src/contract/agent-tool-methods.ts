/** Rows of the method table about an agent's tools as other programs reach them: by MCP, with a token of the agent. */
import { z } from 'zod';
import { agentRef, done, none, type PrincipalKind, row } from './method-row.ts';
import { plainRecordSchema } from './plain-data.ts';

/** A program that works as one agent. It neither sees nor decides what concerns the operator. */
const agentOnly: readonly PrincipalKind[] = ['agent'];

const callId = z.string().min(1).max(100);

const toolContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  /** Standard base64. */
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
]);

export const agentToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  /** Changes nothing outside, and may be asked twice. */
  readOnly: z.boolean(),
});
export type AgentToolView = z.output<typeof agentToolSchema>;

export const agentToolResultSchema = z.object({ content: z.array(toolContentSchema), isError: z.boolean() });
export type AgentToolResult = z.output<typeof agentToolResultSchema>;

export const agentToolMethods = {
  /** Where a program works as this agent; good until the host stops. `http`: an address instead of the socket. */
  'agents.mcpAccess': row(
    () => agentRef.extend({ http: z.boolean().default(false) }),
    () => z.object({ socket: z.string(), url: z.string(), token: z.string() }),
  ),
  'agentTools.list': row(
    () => none,
    () => z.object({ tools: z.array(agentToolSchema) }),
    agentOnly,
  ),
  /** Waits for the operator where they are asked; `callId` is the caller's, new for every call. */
  'agentTools.call': row(
    () => z.strictObject({ callId, name: z.string().min(1).max(200), args: plainRecordSchema }),
    () => agentToolResultSchema,
    agentOnly,
  ),
  /** What is no longer wanted: its question is taken back, too. */
  'agentTools.cancel': row(
    () => z.strictObject({ callId }),
    () => done,
    agentOnly,
  ),
} as const;

/** Methods by which other programs use an agent's tools over MCP, with a token of the agent. */
import { z } from 'zod';
import { agentRef, done, none, type PrincipalKind, row } from './method-row.ts';
import { plainRecordSchema } from './plain-data.ts';

/** A program that acts as one agent. It has no access to the operator's data and decisions. */
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
  /** Has no side effects and may be repeated. */
  readOnly: z.boolean(),
});
export type AgentToolView = z.output<typeof agentToolSchema>;

export const agentToolResultSchema = z.object({ content: z.array(toolContentSchema), isError: z.boolean() });
export type AgentToolResult = z.output<typeof agentToolResultSchema>;

export const agentToolMethods = {
  /**
   * Access for a program that acts as this agent, valid until the host stops. `http` uses HTTP instead of the
   * socket.
   */
  'agents.mcpAccess': row(
    () => agentRef.extend({ http: z.boolean().default(false) }),
    () => z.object({ socket: z.string(), url: z.string(), token: z.string() }),
  ),
  'agentTools.list': row(
    () => none,
    () => z.object({ tools: z.array(agentToolSchema) }),
    agentOnly,
  ),
  /**
   * Waits for the operator if the call needs approval; `callId` is chosen by the caller and unique per call.
   */
  'agentTools.call': row(
    () => z.strictObject({ callId, name: z.string().min(1).max(200), args: plainRecordSchema }),
    () => agentToolResultSchema,
    agentOnly,
  ),
  'agentTools.cancel': row(
    () => z.strictObject({ callId }),
    () => done,
    agentOnly,
  ),
} as const;

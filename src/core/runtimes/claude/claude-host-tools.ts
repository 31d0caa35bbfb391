/** The tools of the host for Claude Code, as the MCP server `puffo` inside the control protocol: no port, no process. */
import { z } from 'zod';
import { once } from '../../../contract/once.ts';
import type { Tool } from '../../tools/tool.ts';
import { type HostCall, type HostCallEnd, hostServer } from '../program/host-tools.ts';
import { isOffered } from '../program/offered-tools.ts';

const schemas = once(() => ({
  message: z.object({
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string(),
    params: z.looseObject({}).default({}),
  }),
  initialize: z.object({ protocolVersion: z.string() }),
  call: z.object({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    _meta: z.object({ 'claudecode/toolUseId': z.string() }),
  }),
}));

/** The JSON-RPC answer to one message. */
export async function answerMcp(
  message: unknown,
  tools: readonly Tool[],
  call: (wanted: HostCall) => Promise<HostCallEnd>,
): Promise<object> {
  const known = schemas();
  const parsed = known.message.safeParse(message);
  if (!parsed.success) return failure(0, -32600, 'Not a JSON-RPC message.');
  const { id = 0, method, params } = parsed.data;
  switch (method) {
    case 'initialize': {
      const { data } = known.initialize.safeParse(params);
      const protocolVersion = data?.protocolVersion ?? '2025-06-18';
      const serverInfo = { name: hostServer, version: '1' };
      return success(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    case 'tools/list':
      return success(id, {
        tools: tools.filter(isOffered).map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: { ...parameters, type: 'object' },
        })),
      });
    case 'tools/call': {
      const { data } = known.call.safeParse(params);
      if (!data) return failure(id, -32602, 'The call cannot be read.');
      const { name, arguments: args, _meta: meta } = data;
      return success(id, await call({ callId: meta['claudecode/toolUseId'], name, args }));
    }
    default:
      return method === 'ping' || method.startsWith('notifications/')
        ? success(id, {})
        : failure(id, -32601, 'There is no such method.');
  }
}

const success = (id: string | number, result: object) => ({ jsonrpc: '2.0', id, result });
const failure = (id: string | number, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

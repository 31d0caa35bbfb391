/**
 * MCP over streamable HTTP on loopback, in both protocol generations. It refuses every request without an
 * agent's token (T4), under another host name (T1), or from a web page (T2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { err, ok, type Result } from '../../contract/result.ts';
import { loopbackHosts, refuseForeign } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../platform/loopback-server.ts';
import { createMcpSessions } from './mcp-sessions.ts';
import { listenFailed, type McpDoor, type McpDoorOptions } from './mcp-socket.ts';
import { createPuffoServer, type OutsideCalls } from './puffo-server.ts';

const host = '127.0.0.1';
const maxBytes = 1024 * 1024;
interface Refusal {
  readonly status: number;
  readonly error: string;
}

/** Checks the Host header, the origin and the path before reading the body. */
function refusalOf({ headers, url = '' }: IncomingMessage, port: number): Refusal | null {
  const foreign = refuseForeign(headers, loopbackHosts(port));
  if (foreign?.status === 421) return { status: 421, error: 'this address is not served here' };
  if (foreign) return { status: 403, error: 'no pages' };
  return url.split('?')[0] === '/mcp' ? null : { status: 404, error: 'not found' };
}

interface AgentHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

type HandlerOptions = Pick<McpDoorOptions, 'version' | 'clock' | 'log'>;

function handlerOf(
  agentId: string,
  tools: OutsideCalls,
  { version, clock, log }: HandlerOptions,
): AgentHandler {
  const serverOf = () => createPuffoServer({ tools, clock, version });
  const sessions = createMcpSessions({ serverOf, maxBytes });
  const handler = createMcpHandler(serverOf, {
    maxRequestBodySize: maxBytes,
    onerror: (error) => log.warn('mcp_client_error', { agent: agentId, message: error.message }),
  });
  return {
    fetch: async (request) => (await sessions.serve(request)) ?? handler.fetch(request),
    async close() {
      await Promise.all([sessions.close(), handler.close()]);
    },
  };
}

/** One cached handler per agent, because its permissions depend on the token alone. */
function handlersOf(options: McpDoorOptions) {
  const known = new Map<string, AgentHandler>();
  return {
    of(agentId: string): AgentHandler {
      const handler = known.get(agentId) ?? handlerOf(agentId, options.toolsOf(agentId), options);
      known.set(agentId, handler);
      return handler;
    },
    close: () => Promise.all([...known.values()].map((handler) => handler.close())),
  };
}

export interface ToolServer {
  /** The caller has checked the token, host and origin of the request. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): void;
  close(): Promise<void>;
}

/** The same protocol without a listener of its own, for one agent. */
export function createToolServer(agentId: string, tools: OutsideCalls, options: HandlerOptions): ToolServer {
  const handler = handlerOf(agentId, tools, options);
  const listener = getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false });
  return {
    serve: (incoming, outgoing) => void listener(incoming, outgoing),
    close: () => handler.close(),
  };
}

export async function openMcpHttp(options: McpDoorOptions): Promise<Result<McpDoor>> {
  const handlers = handlersOf(options);
  const listener = getRequestListener(
    (request) => {
      const agentId = options.agentOf(request.headers.get('authorization') ?? '');
      if (agentId !== null) return handlers.of(agentId).fetch(request);
      return Response.json(
        { error: 'token required' },
        { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
      );
    },
    { overrideGlobalObjects: false },
  );
  let port = 0;
  const server = createLoopbackServer({}, (request, response) => {
    const refused = refusalOf(request, port);
    if (!refused) return void listener(request, response);
    response.writeHead(refused.status, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(JSON.stringify({ error: refused.error }));
  });
  const listening = await listenOn(server, { host, port: 0 });
  if (!listening.ok) return err(listenFailed(listening.error, host));
  port = listening.port;
  return ok({
    url: `http://${host}:${port}/mcp`,
    async close() {
      await handlers.close();
      await closeHttpServer(server);
    },
  });
}

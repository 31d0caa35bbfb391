/**
 * The sessions of programs that speak a 2025 revision of MCP: such a program cancels a call in a separate
 * request, and only its session identifies the call. Sessions belong to an agent, are bounded, and end with
 * the server.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isJsonContentType,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

export interface McpSessions {
  /** `null` if the request belongs to no session and starts none. */
  serve(request: Request): Promise<Response | null>;
  close(): Promise<void>;
}

export interface McpSessionOptions {
  readonly serverOf: () => Server;
  readonly maxBytes: number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
}

/** Beyond this, the least recently used session is ended. */
const maxSessions = 32;

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

/** The body of a well-formed request; `null` if it cannot start a session. */
async function bodyOf(request: Request, maxBytes: number): Promise<unknown> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) return null;
  const read = await readRequestBody(request.clone(), maxBytes);
  if (read.tooLarge) return null;
  try {
    return JSON.parse(read.text);
  } catch {
    return null;
  }
}

class Sessions implements McpSessions {
  readonly #options: McpSessionOptions;
  /** Least recently used first. */
  readonly #open = new Map<string, Session>();

  constructor(options: McpSessionOptions) {
    this.#options = options;
  }

  async serve(request: Request): Promise<Response | null> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      const body = await bodyOf(request, this.#options.maxBytes);
      return isInitializeRequest(body) ? this.#begin(request, body) : null;
    }
    const session = this.#open.get(id);
    if (!session) return refusal(404, -32_001, 'There is no such session; begin a new one.');
    // The server never sends unrequested messages, so a stream for them would only hold a connection.
    if (request.method === 'GET') return refusal(405, -32_000, 'Method not allowed.');
    this.#open.delete(id);
    this.#open.set(id, session);
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(({ server }) => server.close()));
  }

  async #begin(request: Request, parsedBody: unknown): Promise<Response> {
    const [oldest] = this.#open;
    if (oldest && this.#open.size >= maxSessions) await this.#end(oldest[0]);
    const server = this.#options.serverOf();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#open.set(id, { transport, server }),
      onsessionclosed: (id) => void this.#open.delete(id),
      maxRequestBodySize: this.#options.maxBytes,
    });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  async #end(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.server.close();
  }
}

export const createMcpSessions = (options: McpSessionOptions): McpSessions => new Sessions(options);

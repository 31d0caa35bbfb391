/**
 * MCP over a socket for its owner only (0600): one line with an agent's token, then the protocol as over
 * stdio. `kennel mcp` pipes to it; a client that sends no valid token in time is disconnected (T4).
 */
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { openOwnerSocket } from '../../platform/owner-socket.ts';
import { createPuffoServer, type OutsideCalls } from './puffo-server.ts';

export interface McpDoor {
  /** Empty for the socket. */
  readonly url: string;
  close(): Promise<void>;
}

export interface McpDoorOptions {
  /** The agent of a token, or `null` if none. `authorization` has the HTTP form `Bearer …`. */
  readonly agentOf: (authorization: string) => string | null;
  readonly toolsOf: (agentId: string) => OutsideCalls;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

const maxConnections = 64;
const maxLine = 512;
const maxMessage = 1024 * 1024;
const helloMs = 10_000;

/** Takes the first line off the stream; `null` if none arrived. */
function firstLine(socket: Socket, clock: Clock): Promise<string | null> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const timer = clock.after(helloMs, () => end(null));
    const onData = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      const at = seen.indexOf(10);
      if (at < 0 && seen.length <= maxLine) return;
      if (at < 0 || at > maxLine) {
        end(null);
        return;
      }
      const rest = seen.subarray(at + 1);
      const line = seen.subarray(0, at).toString('utf8').trim();
      end(line);
      if (rest.length > 0) socket.unshift(rest);
    };
    const onClose = (): void => end(null);
    const end = (line: string | null): void => {
      timer.cancel();
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      resolve(line);
    };
    socket.on('data', onData);
    socket.on('close', onClose);
  });
}

async function serve(socket: Socket, options: McpDoorOptions): Promise<void> {
  const { agentOf, toolsOf, version, clock, log } = options;
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  const token = await firstLine(socket, clock);
  const agentId = token === null ? null : agentOf(`Bearer ${token}`);
  if (agentId === null) {
    if (token !== null) log.warn('mcp_refused', {});
    socket.destroy();
    return;
  }
  log.info('mcp_opened', { agent: agentId });
  const tools = toolsOf(agentId);
  const input = socket.pipe(new PassThrough());
  const transport = new StdioServerTransport(input, socket, { maxBufferSize: maxMessage });
  const close = transport.close.bind(transport);
  // A transport that the protocol ended, e.g. after an oversized message, closes its socket too.
  transport.close = async () => {
    await close();
    socket.destroySoon();
  };
  const served = serveStdio(() => createPuffoServer({ tools, clock, version, gone: gone.signal }), {
    transport,
    onerror: (error) => log.warn('mcp_client_error', { agent: agentId, message: error.message }),
  });
  // A half-closed socket is useless for MCP: a client that cannot send makes no requests.
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    served.close().catch((error: unknown) => log.warn('mcp_close_failed', { error }));
  });
}

/** The caller owns the data folder, so an existing socket is stale. */
export async function openMcpSocket(path: string, options: McpDoorOptions): Promise<Result<McpDoor>> {
  const opened = await openOwnerSocket({
    path,
    maxConnections,
    onConnection: (client) => {
      serve(client, options).catch((error: unknown) => {
        options.log.error('mcp_failed', { error });
        client.destroy();
      });
    },
    endClient: (client) => client.destroy(),
  });
  return opened.ok ? ok({ url: '', close: opened.close }) : err(listenFailed(opened.error, path));
}

/** The error of both MCP listeners; `where` is the address or the path. */
export const listenFailed = ({ message }: Error, where: string): AppError =>
  fail('io_error', 'programs.mcpListenFailed', { message }, { help: 'logins.tryAgain', where });

/**
 * Transport over a program's input and output: one JSON message per line. Lines that are no message are
 * ignored, as many programs print such; a message beyond a limit ends the program.
 */
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { McpProgram } from '../../core/mcp/mcp-ports.ts';
import { checkMessage, McpLimitError } from './message-limits.ts';

export interface ProgramTransport extends Transport {
  /** With `stderr` the mark of a transport over a program: the SDK takes silence as an old server, not as an outage. */
  readonly pid: null;
  readonly stderr: null;
}

function readMessage(line: string): JSONRPCMessage | null {
  checkMessage(line);
  try {
    return deserializeMessage(line);
  } catch {
    return null;
  }
}

export function createProgramTransport(
  program: McpProgram,
  onLimit: (error: McpLimitError) => void,
): ProgramTransport {
  let isClosed = false;
  const closed = (): void => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const read = async (): Promise<void> => {
    for await (const line of program.lines) {
      if (isClosed) continue;
      const message = readMessage(line);
      if (message) transport.onmessage?.(message);
    }
  };
  const transport: ProgramTransport = {
    pid: null,
    stderr: null,
    async start() {
      void program.exited.then(closed);
      read().catch((error: unknown) => {
        if (error instanceof McpLimitError) onLimit(error);
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
        void transport.close();
      });
    },
    async send(message) {
      if (!isClosed) program.write(JSON.stringify(message));
    },
    async close() {
      const ended = program.end();
      closed();
      await ended;
    },
  };
  return transport;
}

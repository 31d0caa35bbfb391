/** A scripted MCP server in the place of a program: reads and writes lines, and starts no process. */
import type { McpProgram } from '../../src/core/mcp/mcp-ports.ts';

export interface RpcMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface FakeMcpProgram extends McpProgram {
  /** All messages of the client. */
  readonly received: readonly RpcMessage[];
  /** Writes a line: text as it is, anything else as JSON. */
  print(line: unknown): void;
  /** Resolves with the next answer of the client to this request of the server. */
  ask(method: string, params?: Readonly<Record<string, unknown>>): Promise<RpcMessage>;
  /** The program ends by itself. */
  exit(code: number | null, signal?: string): void;
}

type Answer = (message: RpcMessage, program: FakeMcpProgram) => unknown;

/** `undefined` from `answer` leaves a request open. Notifications are passed to it, too. */
export function createFakeMcpProgram(answer: Answer, stderr = ''): FakeMcpProgram {
  const received: RpcMessage[] = [];
  const queue: string[] = [];
  const waiting = new Map<string, (message: RpcMessage) => void>();
  let wake = (): void => undefined;
  let isOver = false;
  let asked = 0;
  let exited: (exit: { code: number | null; signal: string | null }) => void = () => undefined;
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    exited = resolve;
  });
  const end = (code: number | null, signal: string | null): void => {
    isOver = true;
    wake();
    exited({ code, signal });
  };
  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const line = queue.shift();
      if (line !== undefined) yield line;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const program: FakeMcpProgram = {
    received,
    lines: read(),
    exited: exit,
    stderrTail: () => stderr,
    write(line) {
      const message = JSON.parse(line) as RpcMessage;
      received.push(message);
      if (message.method === undefined) {
        waiting.get(String(message.id))?.(message);
        return;
      }
      const result = answer(message, program);
      if (result !== undefined && message.id !== undefined)
        program.print({ jsonrpc: '2.0', id: message.id, ...(result as object) });
    },
    print(line) {
      queue.push(typeof line === 'string' ? line : JSON.stringify(line));
      wake();
    },
    ask(method, params = {}) {
      asked += 1;
      const id = `server-${asked}`;
      const answered = new Promise<RpcMessage>((resolve) => waiting.set(id, resolve));
      program.print({ jsonrpc: '2.0', id, method, params });
      return answered;
    },
    exit: (code, signal) => end(code, signal ?? null),
    async end() {
      end(null, 'SIGTERM');
    },
  };
  return program;
}

export const result = (value: unknown) => ({ result: value });
export const rpcError = (code: number, message: string) => ({ error: { code, message } });

/** Answers of a server of the 2025 era; `more` has those of further methods. */
export const legacyServer =
  (more: Readonly<Record<string, Answer>> = {}): Answer =>
  (message, program) => {
    const { method = '' } = message;
    const own = more[method];
    if (own) return own(message, program);
    if (method === 'initialize')
      return result({
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'fake', version: '1.2.3' },
        instructions: 'Use me.',
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
      });
    return message.id === undefined ? undefined : rpcError(-32601, `Method not found: ${method}`);
  };

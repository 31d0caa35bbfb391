/** The transport of `kennel mcp` for the official client: the socket, with its token first. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #path: string;
  readonly #token: string;
  #socket: Socket | null = null;

  constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
  }

  start(): Promise<void> {
    const socket = connect(this.#path);
    this.#socket = socket;
    socket.on('error', (error) => this.onerror?.(error));
    socket.on('close', () => this.onclose?.());
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => this.onmessage?.(JSON.parse(line)));
    // Readline repeats the socket's errors, and an unhandled one would end the process.
    lines.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.on('connect', () => {
        socket.write(`${this.#token}\n`);
        resolve();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
  }
}

/**
 * An HTTP proxy before a relay that passes everything, except one request whose sender is about to be killed.
 */
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * `before`: the relay never receives the request; `after`: the relay has answered, but the answer is not
 * passed on.
 */
export interface Stop {
  readonly path: string;
  readonly when: 'before' | 'after';
}

export class Gatekeeper {
  readonly #target: URL;
  readonly #server = http.createServer((request, response) => this.#pass(request, response));
  readonly #sockets = new Set<Socket>();
  #stop: Stop | null = null;
  #reached: () => void = () => undefined;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('upgrade', (request, socket: Socket, head) => this.#upgrade(request, socket, head));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Resolves when the next matching request reaches that point. */
  stopAt(stop: Stop): Promise<void> {
    this.#stop = stop;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const stop = this.#stop?.path === request.url ? this.#stop : null;
    if (stop) this.#stop = null;
    if (stop?.when === 'before') {
      this.#reached();
      return;
    }
    const { method, url, headers } = request;
    // As a reverse proxy writes it: the relay answers only to its own address.
    const own = { ...headers, host: this.#target.host };
    const onward = http.request(new URL(url ?? '/', this.#target), { method, headers: own }, (answer) => {
      if (stop) {
        answer.resume();
        answer.on('end', () => this.#reached());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  #upgrade(request: http.IncomingMessage, near: Socket, head: Buffer): void {
    const far = connect(Number(this.#target.port), this.#target.hostname, () => {
      const lines = request.rawHeaders.flatMap((name, at) =>
        at % 2 === 0 && name.toLowerCase() !== 'host' ? [`${name}: ${request.rawHeaders[at + 1]}`] : [],
      );
      lines.push(`host: ${this.#target.host}`);
      far.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      near.pipe(far).pipe(near);
    });
    this.#keep(far);
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  }
}

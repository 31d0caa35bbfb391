/** A proxy between a host and its relay that simulates faulty networks and servers. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { LineFaults } from './line-faults.ts';

/**
 * `html`: a captive portal; `slow`: every answer late; `endless`: bodies without end; `refused`: connection
 * refused.
 */
export type Weather = 'fair' | 'html' | 'slow' | 'endless' | 'refused';

export interface WeatherProxy {
  readonly url: string;
  /** Number of WebSockets opened through the proxy. */
  readonly connects: () => number;
  set(weather: Weather): Promise<void>;
  /** `hand` receives each text frame from the server and decides what to send; `null` passes everything. */
  tamper(hand: ((text: string, send: (text: string) => void) => void) | null): void;
  /** Sets the faults of the connection; `null` removes them. */
  plague(faults: LineFaults | null): void;
  /** Silences current WebSockets in both directions without closing them. */
  freeze(): void;
  /** Applies a connection fault: cuts or freezes the connections. */
  strike(): void;
  /** Ends all connections without a close frame. */
  cut(): void;
  stop(): Promise<void>;
}

const slowMs = 700;
const page = '<!doctype html><title>Welcome to our hotel</title><p>Please sign in.';

class RunningProxy implements WeatherProxy {
  readonly #target: URL;
  readonly #server: http.Server;
  readonly #upgrades = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<{ near: WebSocket; far: WebSocket; frozen: boolean }>();
  #weather: Weather = 'fair';
  #port = 0;
  #connects = 0;
  #hand: Parameters<WeatherProxy['tamper']>[0] = null;
  #faults: LineFaults | null = null;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = http.createServer((request, response) => this.#request(request, response));
    this.#server.on('upgrade', (request, socket: Socket, head) => this.#upgrade(request, socket, head));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  connects = (): number => this.#connects;

  async set(weather: Weather): Promise<void> {
    const was = this.#weather;
    this.#weather = weather;
    if (weather === 'refused') await this.stop();
    else if (was === 'refused') await this.listen();
  }

  tamper(hand: Parameters<WeatherProxy['tamper']>[0]): void {
    this.#hand = hand;
  }

  plague(faults: LineFaults | null): void {
    this.#faults = faults;
  }

  freeze(): void {
    for (const pair of this.#pairs) {
      pair.frozen = true;
      pair.near.pause();
    }
  }

  /** Applies one fault to the current WebSockets. */
  strike(): void {
    if (this.#faults?.connection() === 'frozen') this.freeze();
    else this.cut();
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const { far } of this.#pairs) far.terminate();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #request(request: http.IncomingMessage, response: http.ServerResponse): void {
    if (this.#weather === 'html') {
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    if (this.#weather === 'endless') {
      this.#endless(response);
      return;
    }
    if (this.#faults) {
      void this.#faultyExchange(request, response, this.#faults).catch(() => response.destroy());
      return;
    }
    const { hostname, port, host } = this.#target;
    const { method, url, headers } = request;
    const onward = http.request(
      { hostname, port, method, path: url, headers: named(headers, host) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    const wait = this.#weather === 'slow' ? slowMs : 0;
    setTimeout(() => request.pipe(onward), wait);
  }

  async #faultyExchange(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    faults: LineFaults,
  ): Promise<void> {
    const fault = faults.request();
    const body = Buffer.concat(await request.toArray());
    if (fault === 'lost') return void response.destroy();
    if (fault === 'late') await wait(faults.delay());
    const first = await this.#forward(request, body);
    const { status, headers, bytes } = fault === 'twice' ? await this.#forward(request, body) : first;
    if (fault === 'unanswered') return void response.destroy();
    response.writeHead(status, headers);
    if (fault === 'torn') {
      response.write(bytes.subarray(0, Math.max(1, bytes.length >> 1)), () => response.destroy());
      return;
    }
    const piece = fault === 'trickle' ? Math.max(7, bytes.length >> 4) : bytes.length;
    for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
      response.write(bytes.subarray(at, at + piece));
      if (fault === 'trickle') await wait(3);
    }
    response.end();
  }

  #forward(
    { method, url, headers }: http.IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; headers: http.IncomingHttpHeaders; bytes: Buffer }> {
    const { hostname, port, host } = this.#target;
    return new Promise((resolve, reject) => {
      const onward = http.request(
        { hostname, port, method, path: url, headers: named(headers, host) },
        (answer) => {
          answer.toArray().then(
            (pieces) =>
              resolve({
                status: answer.statusCode ?? 502,
                headers: answer.headers,
                bytes: Buffer.concat(pieces),
              }),
            reject,
          );
        },
      );
      onward.on('error', reject).end(body);
    });
  }

  #frame(text: string, send: (text: string) => void): void {
    const faults = text.includes('"type":"message"') ? this.#faults : null;
    const fault = faults?.frame() ?? 'none';
    if (fault === 'late') setTimeout(() => send(text), faults?.delay());
    else if (fault !== 'dropped') send(text);
    if (fault === 'twice') send(text);
  }

  #endless(response: http.ServerResponse): void {
    response.setHeader('content-type', 'application/json');
    const piece = Buffer.alloc(65_536, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  }

  #upgrade(request: http.IncomingMessage, socket: Socket, head: Buffer): void {
    if (this.#weather === 'html' || this.#weather === 'endless') {
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
      );
      return;
    }
    this.#upgrades.handleUpgrade(request, socket, head, (near) => this.#join(near, request.url ?? '/'));
  }

  #join(near: WebSocket, path: string): void {
    this.#connects += 1;
    const far = new WebSocket(`ws://${this.#target.host}${path}`, { autoPong: false });
    const pair = { near, far, frozen: false };
    this.#pairs.add(pair);
    const early: string[] = [];
    const end = (): void => {
      this.#pairs.delete(pair);
      if (pair.frozen) return;
      near.close();
      far.close();
    };
    for (const side of [near, far]) side.on('error', () => undefined).on('close', end);
    far.on('open', () => {
      for (const text of early.splice(0)) far.send(text);
    });
    near.on('message', (data) => {
      if (far.readyState === WebSocket.OPEN) far.send(String(data));
      else early.push(String(data));
    });
    const send = (text: string): void => {
      if (!pair.frozen && near.readyState === WebSocket.OPEN) near.send(text);
    };
    far.on('message', (data) => {
      const text = String(data);
      if (this.#hand) this.#hand(text, send);
      else this.#frame(text, send);
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('ping', (data) => !pair.frozen && to.readyState === WebSocket.OPEN && to.ping(data));
      from.on('pong', (data) => !pair.frozen && to.readyState === WebSocket.OPEN && to.pong(data));
    }
  }
}

/** As a reverse proxy writes it: the relay answers only to its own address. */
const named = (headers: http.IncomingHttpHeaders, host: string): http.OutgoingHttpHeaders => ({
  ...headers,
  host,
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function startProxy(target: string): Promise<WeatherProxy> {
  const proxy = new RunningProxy(target);
  await proxy.listen();
  return proxy;
}

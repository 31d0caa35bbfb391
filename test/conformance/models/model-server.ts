/** A loopback server that returns scripted answers and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly frames?: readonly string[];
  /** After the frames: a proper end, a broken connection, or silence. */
  readonly after?: 'end' | 'break' | 'silence';
}

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  readonly origin: string;
  /** Requests so far. */
  readonly asked: readonly Asked[];
  /** Sets one answer per request; the last one repeats. */
  answer(...answers: readonly Answer[]): void;
  /** Chooses the answer to every later request. */
  answerBy(choose: (asked: Asked) => Answer): void;
  /** Number of answers that the client closed before their end. */
  readonly left: () => number;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

async function give(response: ServerResponse, answer: Answer): Promise<void> {
  const headers = { 'content-type': 'text/event-stream', ...answer.headers };
  response.writeHead(answer.status ?? 200, headers);
  response.flushHeaders();
  for (const frame of answer.frames ?? []) {
    response.write(frame);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (answer.after === 'break') response.destroy();
  else if (answer.after !== 'silence') response.end();
}

export async function startModelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  let answers: Answer[] = [];
  let chosen: ((asked: Asked) => Answer) | null = null;
  let left = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const now = { path: request.url ?? '', headers: request.headers, body: await bodyOf(request) };
      asked.push(now);
      const answer = chosen ? chosen(now) : answers.length > 1 ? answers.shift() : answers[0];
      response.on('close', () => {
        if (!response.writableEnded) left += 1;
      });
      await give(response, answer ?? { status: 500 });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    asked,
    answer(...next) {
      answers = [...next];
      chosen = null;
    },
    answerBy(choose) {
      chosen = choose;
    },
    left: () => left,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A model server with OpenAI's chat completions API that records requests and answers from a script. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedModel {
  readonly baseUrl: string;
  /** Bodies of all completion requests, as text. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export async function createAskedModel(answer: (body: string) => string): Promise<AskedModel> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"m"}]}');
        return;
      }
      const body = Buffer.concat(pieces).toString('utf8');
      asked.push(body);
      const head = { id: `c${asked.length}`, object: 'chat.completion.chunk', created: 1, model: 'm' };
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: answer(body) }, null));
      response.write(chunk({}, 'stop'));
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

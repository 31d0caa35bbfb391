/** A model server on loopback that speaks Gemini's format, with the scripts of the messages server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedReply } from './messages-server.ts';
import { serveOnLoopback } from './on-loopback.ts';

interface Part {
  readonly text?: string;
  readonly functionResponse?: object;
}

interface AskedGemini {
  readonly contents: readonly { readonly role: string; readonly parts: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

export interface GeminiServer {
  readonly url: string;
  /** Texts of the newest message of each request, and the names of the tools. */
  readonly asked: readonly { readonly text: string; readonly tools: readonly string[] }[];
  stop(): Promise<void>;
}

function send(response: ServerResponse, reply: Extract<ServedReply, { blocks: unknown }>): void {
  const event = (body: object): void => void response.write(`data: ${JSON.stringify(body)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  for (const block of reply.blocks) {
    const part =
      'text' in block ? { text: block.text } : { functionCall: { name: block.tool, args: block.input } };
    event({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }], usageMetadata });
  }
  if (reply.holdOpen) return;
  const content = { role: 'model', parts: [{ text: '' }] };
  event({ candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata });
  response.end();
}

export async function createGeminiServer(
  script: (asked: { readonly text: string; readonly isResult: boolean }, nth: number) => ServedReply,
): Promise<GeminiServer> {
  const asked: GeminiServer['asked'][number][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { contents = [], tools = [] }: AskedGemini = JSON.parse((await text(request)) || '{}');
    if (!request.url?.includes(':streamGenerateContent')) {
      const body = request.url?.includes(':countTokens') ? { totalTokens: 10 } : { error: { code: 404 } };
      response.writeHead('error' in body ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      return;
    }
    const parts = contents.at(-1)?.parts ?? [];
    const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
    const newest = parts.map((part) => part.text ?? '').join('\n');
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    asked.push({ text: isResult ? JSON.stringify(parts) : newest, tools: names.map(({ name }) => name) });
    const reply = script({ text: newest, isResult }, asked.length);
    if ('silent' in reply) return;
    if ('blocks' in reply) {
      if (reply.afterMs !== undefined) await pause(reply.afterMs);
      send(response, reply);
      return;
    }
    const { status, retryAfterS } = reply;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    });
    response.end(
      JSON.stringify({ error: { code: status, message: `refused with ${status}`, status: 'FAILED' } }),
    );
  };
  const server = await serveOnLoopback((request, response) => void answer(request, response));
  return { asked, ...server };
}

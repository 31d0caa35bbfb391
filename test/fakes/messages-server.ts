/**
 * A model server on loopback that speaks Anthropic's messages format: streams what a script says, for agent
 * programs that run against it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../src/contract/is-record.ts';
import { serveOnLoopback } from './on-loopback.ts';

export type ServedBlock =
  | { readonly text: string }
  | { readonly tool: string; readonly id: string; readonly input: Readonly<Record<string, unknown>> };

interface Served {
  readonly blocks: readonly ServedBlock[];
  /** The stream stays open in the middle of the last block. */
  readonly holdOpen?: true;
  /** ms before the answer begins. */
  readonly afterMs?: number;
}

/** `status` answers with an error; `silent` never answers. */
export type ServedReply =
  | Served
  | { readonly status: number; readonly retryAfterS?: number }
  | { readonly silent: true };

export interface AskedRequest {
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly string[];
  readonly model: string;
  /** As the client sent it; empty if it sent none. */
  readonly key: string;
}

export interface MessagesServer {
  readonly url: string;
  readonly asked: readonly AskedRequest[];
  stop(): Promise<void>;
}

const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** The last block of the newest user message: a text, or a tool result as JSON. */
export function lastUserText({ messages }: AskedRequest): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  const last: unknown = Array.isArray(content) ? content.at(-1) : content;
  return isRecord(last) && typeof last.text === 'string' ? last.text : textIn(last);
}

export const hasToolResult = (asked: AskedRequest): boolean => lastUserText(asked).includes('"tool_result"');

function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
  });
}

function parse(body: string, key: string): AskedRequest {
  const { system, messages = [], tools = [], model = '' } = JSON.parse(body);
  return {
    system: textIn(system),
    messages,
    tools: tools.map(({ name }: { name: string }) => name),
    model,
    key,
  };
}

function stream(response: ServerResponse, model: string, { blocks, holdOpen }: Served, id: string): void {
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 2 };
  send('message_start', {
    message: { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage },
  });
  blocks.forEach((block, index) => {
    const isText = 'text' in block;
    send('content_block_start', {
      index,
      content_block: isText
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: block.id, name: block.tool, input: {} },
    });
    send('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    });
    if (!holdOpen) send('content_block_stop', { index });
  });
  if (holdOpen) return;
  const stop = blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

export async function createMessagesServer(
  script: (asked: AskedRequest, nth: number) => ServedReply,
): Promise<MessagesServer> {
  const asked: AskedRequest[] = [];
  const server = await serveOnLoopback(async (request, response) => {
    const body = await readBody(request);
    if (request.url?.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      return;
    }
    if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) {
      response.writeHead(404).end();
      return;
    }
    const parsed = parse(body, String(request.headers['x-api-key'] ?? ''));
    asked.push(parsed);
    const reply = script(parsed, asked.length);
    if ('silent' in reply) return;
    if ('blocks' in reply) {
      if (reply.afterMs !== undefined) await sleep(reply.afterMs);
      stream(response, parsed.model, reply, `msg_${asked.length}`);
      return;
    }
    const error = { type: 'error', error: { type: 'api_error', message: `refused with ${reply.status}` } };
    const pause = reply.retryAfterS === undefined ? {} : { 'retry-after': String(reply.retryAfterS) };
    response.writeHead(reply.status, { 'content-type': 'application/json', ...pause });
    response.end(JSON.stringify(error));
  });
  return { asked, ...server };
}

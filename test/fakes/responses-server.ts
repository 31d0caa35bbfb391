/** A model server on loopback that speaks OpenAI's responses format, with the scripts of the messages server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ServedReply } from './messages-server.ts';
import { serveOnLoopback } from './on-loopback.ts';

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

interface AskedResponse {
  readonly input: readonly Item[];
  readonly tools?: readonly { readonly name?: string; readonly type: string }[];
}

export interface ResponsesServer {
  readonly url: string;
  /** All messages of each request as JSON, and the names of the tools. */
  readonly asked: readonly { readonly text: string; readonly tools: readonly string[] }[];
  stop(): Promise<void>;
}

function send(response: ServerResponse, reply: Extract<ServedReply, { blocks: unknown }>, id: string): void {
  const event = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event('response.created', { response: { id } });
  const output = reply.blocks.map((block, index) => {
    if ('text' in block) {
      const content = [{ type: 'output_text', text: block.text, annotations: [] }];
      const item = { type: 'message', id: `${id}_${index}`, role: 'assistant', content };
      event('response.output_item.added', { output_index: index, item: { ...item, content: [] } });
      event('response.output_text.delta', {
        item_id: item.id,
        output_index: index,
        content_index: 0,
        delta: block.text,
      });
      if (!reply.holdOpen) event('response.output_item.done', { output_index: index, item });
      return item;
    }
    const args = JSON.stringify(block.input);
    const item = {
      type: 'function_call',
      id: `${id}_${index}`,
      call_id: block.id,
      name: block.tool,
      arguments: args,
    };
    event('response.output_item.added', { output_index: index, item });
    event('response.output_item.done', { output_index: index, item });
    return item;
  });
  if (reply.holdOpen) return;
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  event('response.completed', { response: { id, status: 'completed', output, usage } });
  response.end();
}

const textOf = ({ content = [] }: Item): string => content.map((part) => part.text ?? '').join('\n');

export async function createResponsesServer(
  script: (asked: { readonly text: string; readonly isResult: boolean }, nth: number) => ServedReply,
): Promise<ResponsesServer> {
  const asked: ResponsesServer['asked'][number][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { input = [], tools = [] }: AskedResponse = JSON.parse((await text(request)) || '{}');
    if (!request.url?.endsWith('/responses')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'not found' } }));
      return;
    }
    const newest = input.at(-1);
    const isResult = newest?.type.endsWith('_output') === true;
    const lastUser = input.findLast(({ role }) => role === 'user');
    asked.push({ text: JSON.stringify(input), tools: tools.map(({ name, type }) => name ?? type) });
    const reply = script({ text: lastUser ? textOf(lastUser) : '', isResult }, asked.length);
    if ('silent' in reply) return;
    if ('blocks' in reply) {
      send(response, reply, `resp_${asked.length}`);
      return;
    }
    const pause = reply.retryAfterS === undefined ? {} : { 'retry-after': String(reply.retryAfterS) };
    response.writeHead(reply.status, { 'content-type': 'application/json', ...pause });
    response.end(JSON.stringify({ error: { message: `refused with ${reply.status}`, code: 'refused' } }));
  };
  const server = await serveOnLoopback((request, response) => void answer(request, response));
  return { asked, ...server };
}

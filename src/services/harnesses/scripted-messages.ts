/** A model server on loopback with a script instead of a model, in Anthropic's messages format. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { isJsonType, loopbackHosts, refuseForeign } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../platform/loopback-server.ts';
import { readBody } from '../../platform/read-body.ts';

export type ScriptedBlock =
  | { readonly text: string }
  | { readonly tool: string; readonly id: string; readonly input: Readonly<Record<string, unknown>> };

const requestSchema = z.object({
  model: z.string().default(''),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })).default([]),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

export interface ScriptedRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly string[];
}

export interface ScriptedMessages {
  readonly url: string;
  close(): Promise<void>;
}

const limits = { maxConnections: 32 } as const;
const bodyLimits = { bytes: 8 * 1024 * 1024, ms: 30_000 } as const;

export async function openScriptedMessages(
  clock: Clock,
  reply: (request: ScriptedRequest) => readonly ScriptedBlock[],
): Promise<Result<ScriptedMessages>> {
  let hosts: ReadonlySet<string> = new Set();
  let count = 0;
  const server = createLoopbackServer(limits, (incoming, outgoing) => {
    count += 1;
    serve({ clock, hosts, reply, id: `msg_${count}` }, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const listening = await listenOn(server, { host: '127.0.0.1', port: 0 });
  if (!listening.ok)
    return err(fail('io_error', 'modelRelay.notListening', { why: listening.error.message }));
  hosts = loopbackHosts(listening.port);
  return ok({ url: `http://127.0.0.1:${listening.port}`, close: () => closeHttpServer(server) });
}

interface Serving {
  readonly clock: Clock;
  readonly hosts: ReadonlySet<string>;
  readonly reply: (request: ScriptedRequest) => readonly ScriptedBlock[];
  /** Of the message. */
  readonly id: string;
}

async function serve(
  { clock, hosts, reply, id }: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const isKnown = incoming.method === 'POST' && incoming.url?.startsWith('/v1/messages') === true;
  const isForeign = refuseForeign(incoming.headers, hosts, 'none') !== null;
  if (!isKnown || isForeign || !isJsonType(incoming.headers['content-type'])) {
    outgoing.writeHead(404, { connection: 'close' }).end();
    return;
  }
  const body = await readBody(incoming, bodyLimits, clock);
  const parsed = body.ok ? parseRequest(body.value) : null;
  if (!parsed) {
    outgoing.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const { model, messages, tools } = parsed;
  stream(outgoing, { id, model }, reply({ messages, tools: tools.map(({ name }) => name) }));
}

function parseRequest(body: Uint8Array): z.output<typeof requestSchema> | null {
  try {
    return requestSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    return null;
  }
}

function stream(
  response: ServerResponse,
  message: { readonly id: string; readonly model: string },
  blocks: readonly ScriptedBlock[],
): void {
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: {
      ...message,
      type: 'message',
      role: 'assistant',
      content: [],
      stop_reason: null,
      usage,
    },
  });
  blocks.forEach((block, index) => {
    const isText = 'text' in block;
    const started = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: block.id, name: block.tool, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: started });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  const stop = blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

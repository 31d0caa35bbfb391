/**
 * Calls a model through another host (spec §3): sends the conversation with a token, never a key, and
 * rebuilds the message from the returned events. A response without a terminal event fails, and so does a
 * delta for the wrong kind of block; an unknown event is ignored with a warning.
 */

import { fail } from '../../contract/fail.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import type { ModelPort, ModelTarget } from '../../core/models/model-ports.ts';
import {
  encodeRequest,
  type ProxyEvent,
  proxyEventSchema,
  proxyEventTypes,
  proxyPath,
} from '../../core/models/proxy-wire.ts';
import type { Log } from '../../core/ports.ts';
import { readResponse } from '../../platform/read-response.ts';
import { createDataLines } from './data-lines.ts';
import {
  endpoint,
  type HttpModelDeps,
  type StreamVerdict,
  serverName,
  streamOverHttp,
  unreadableAnswer,
  type WireReader,
} from './http-stream.ts';
import type { MessageBuilder } from './message-builder.ts';

const api = 'stream-proxy';

interface StreamProxyDeps extends HttpModelDeps {
  readonly log?: Pick<Log, 'warn'>;
}

export function createStreamProxyModel(deps: StreamProxyDeps): ModelPort {
  const asking = { ...deps, fetch: plainRefusals(deps.fetch ?? fetch) };
  return {
    api,
    stream(target, context, options, signal) {
      const url = endpoint(target.baseUrl, '', proxyPath);
      const headers = target.apiKey ? { authorization: `Bearer ${target.apiKey}` } : {};
      return streamOverHttp(asking, {
        api,
        target,
        options,
        signal,
        request: url === null ? null : { url, headers, body: encodeRequest(target.model, context, options) },
        reader: (builder) => createReader(deps, target, builder),
        parser: createDataLines,
      });
    },
  };
}

/** Bytes of an error that are read. */
const maxRefusal = 16_384;

/** A proxy reports errors as `{error: "sentence"}`; without JSON, the status text is used. */
function plainRefusals(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (response.status === 200) return response;
    const { text } = await readResponse(response, maxRefusal).catch(() => ({ text: '' }));
    const headers = new Headers(response.headers);
    for (const name of ['content-length', 'content-encoding']) headers.delete(name);
    // The Response constructor rejects a status below 200, and a body with these statuses.
    const status = response.status < 200 || [204, 205, 304].includes(response.status) ? 500 : response.status;
    return new Response(inUsualShape(text, response.statusText), { status, headers });
  };
}

/** Converts to `{error: {message}}`, the form of other servers. */
function inUsualShape(text: string, statusText: string): string {
  const body = tryJson(text);
  const error = typeof body === 'object' && body && 'error' in body ? body.error : null;
  if (typeof error === 'object' && error) return text;
  return JSON.stringify({ error: { message: typeof error === 'string' ? error : statusText } });
}

type Kind = 'text' | 'thinking' | 'toolcall';

interface Reading {
  readonly target: ModelTarget;
  readonly builder: MessageBuilder;
  /** The kind that each block began with. */
  readonly kinds: Map<number, Kind>;
  /** Calls whose arguments were streamed in pieces. */
  readonly streamed: Set<number>;
}

function createReader({ log }: StreamProxyDeps, target: ModelTarget, builder: MessageBuilder): WireReader {
  const reading: Reading = { target, builder, kinds: new Map(), streamed: new Set() };
  return {
    read({ data }) {
      const raw = tryJson(data);
      const type = typeof raw === 'object' && raw && 'type' in raw ? raw.type : undefined;
      if (typeof type === 'string' && !proxyEventTypes.has(type)) {
        log?.warn('proxy_event_unknown', { type: type.slice(0, 60) });
        return null;
      }
      const event = proxyEventSchema.safeParse(raw);
      return event.success ? apply(reading, event.data) : unreadableAnswer(target);
    },
  };
}

function apply(reading: Reading, event: ProxyEvent): StreamVerdict | null {
  const { builder, kinds, target } = reading;
  switch (event.type) {
    case 'start':
      builder.start();
      return null;
    case 'done':
      builder.usage(event.usage);
      builder.responseId(event.responseId ?? '');
      return { type: 'done', reason: event.reason };
    case 'error':
      if (event.usage) builder.usage(event.usage);
      builder.responseId(event.responseId ?? '');
      return failed(target, event);
    case 'text_start':
    case 'thinking_start':
    case 'toolcall_start':
      return begin(reading, event);
    default: {
      const kind = event.type.slice(0, event.type.indexOf('_')) as Kind;
      if (kinds.get(event.contentIndex) !== kind) return wrongKind(target, event.type);
      return goOn(reading, event);
    }
  }
}

type Opening = Extract<ProxyEvent, { type: 'text_start' | 'thinking_start' | 'toolcall_start' }>;
type Later = Exclude<ProxyEvent, Opening | { type: 'start' | 'done' | 'error' }>;

function begin({ builder, kinds, target }: Reading, event: Opening): StreamVerdict | null {
  const { contentIndex: key } = event;
  if (kinds.has(key)) return wrongKind(target, event.type);
  if (event.type === 'toolcall_start') {
    kinds.set(key, 'toolcall');
    builder.call(key, { id: event.id, name: event.toolName });
  } else if (event.type === 'thinking_start') {
    kinds.set(key, 'thinking');
    if (event.redacted) builder.redacted(key, '');
    else builder.thinking(key, '');
  } else kinds.set(key, 'text');
  return null;
}

function goOn({ builder, streamed }: Reading, event: Later): null {
  const { contentIndex: key } = event;
  switch (event.type) {
    case 'text_delta':
      builder.text(key, event.delta);
      return null;
    case 'thinking_delta':
      builder.thinking(key, event.delta);
      return null;
    case 'toolcall_delta':
      streamed.add(key);
      builder.argumentsPiece(key, event.delta);
      return null;
    case 'toolcall_end':
      if (!streamed.has(key) && event.toolCall?.arguments) {
        builder.argumentsPiece(key, JSON.stringify(event.toolCall.arguments));
      }
      if (event.toolCall?.thoughtSignature) builder.signature(key, event.toolCall.thoughtSignature);
      builder.end(key);
      return null;
    default:
      if (event.contentSignature) builder.signature(key, event.contentSignature);
      builder.end(key);
      return null;
  }
}

function failed(target: ModelTarget, event: Extract<ProxyEvent, { type: 'error' }>): StreamVerdict {
  const { failure, reason, errorMessage } = event;
  const why = errorMessage?.slice(0, 1_000) || 'it did not say why';
  // An abort at the proxy is no abort here: on this side the reply was cut.
  const code = reason === 'aborted' || failure?.code === 'cancelled' ? 'unavailable' : failure?.code;
  return {
    type: 'failed',
    failure: {
      error: fail(code ?? 'model_error', 'models.modelFailed', { serverName: serverName(target), why }),
      retryable: reason === 'aborted' || (failure?.retryable ?? false),
      ...(failure?.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
      ...(failure?.overflow === undefined ? {} : { overflow: failure.overflow }),
    },
  };
}

const wrongKind = (target: ModelTarget, type: string): StreamVerdict => ({
  type: 'failed',
  failure: {
    error: fail('protocol', 'models.blockMismatch', { serverName: serverName(target), type }),
    retryable: false,
  },
});

/** Model server answers made of given bytes, and the events that an adapter emits for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantMessage } from '../../src/core/models/messages.ts';
import type {
  ModelContext,
  ModelEvent,
  ModelOptions,
  ModelPort,
  ModelTarget,
} from '../../src/core/models/model-ports.ts';

export function recordedStream(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/streams', `${name}.sse`)));
}

/** `error` resets the connection after the last piece; `hang` leaves it open. */
export function streamedAnswer(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  end: 'close' | 'error' | 'hang' = 'close',
): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece) controller.enqueue(piece);
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new TypeError('terminated'));
      else return new Promise(() => undefined);
      return undefined;
    },
  });
  return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
}

export const sampleTarget: ModelTarget = {
  provider: 'openai',
  model: 'm',
  baseUrl: 'http://models.test/v1',
  apiKey: 'sk-very-secret-key-1234567890',
  auth: 'api_key',
};
export const sampleContext: ModelContext = { system: 'S', messages: [], tools: [] };
export const sampleOptions: ModelOptions = { maxOutputTokens: 100, thinkingLevel: 'off' };

export interface Asked {
  readonly target?: Partial<ModelTarget>;
  readonly context?: Partial<ModelContext>;
  readonly options?: Partial<ModelOptions>;
  readonly signal?: AbortSignal;
}

export async function collectEvents(
  model: ModelPort,
  asked: Asked = {},
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const stream = model.stream(
    { ...sampleTarget, ...asked.target },
    { ...sampleContext, ...asked.context },
    { ...sampleOptions, ...asked.options },
    asked.signal ?? new AbortController().signal,
  );
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

/** Message of the terminal event, which must occur exactly once, at the end. */
export function lastMessage(events: readonly ModelEvent[]): AssistantMessage {
  const ends = events.filter((event) => event.type === 'done' || event.type === 'error');
  const last = events.at(-1);
  if (ends.length !== 1 || (last?.type !== 'done' && last?.type !== 'error'))
    throw new Error('exactly one end');
  return last.message;
}

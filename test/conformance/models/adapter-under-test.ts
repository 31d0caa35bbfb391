/** Test interface of an adapter: how to create it, and how its provider streams a given reply. */

import { type AssistantMessage, userMessage } from '../../../src/core/models/messages.ts';
import type {
  ModelContext,
  ModelEvent,
  ModelPort,
  ModelTarget,
} from '../../../src/core/models/model-ports.ts';
import type { HttpModelDeps } from '../../../src/services/models/http-stream.ts';

/** A provider-independent reply. Pieces are streamed one by one, if the provider streams them. */
export interface Script {
  readonly id: string;
  readonly blocks: readonly ScriptBlock[];
  readonly stop: 'stop' | 'length' | 'toolUse';
  /** Tokens; `input` excludes cached ones, `output` includes `reasoning`. */
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly reasoning: number;
  };
}

export type ScriptBlock =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'thinking'; readonly pieces: readonly string[]; readonly signature: string }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      /** Pieces of the JSON arguments. */
      readonly pieces: readonly string[];
    };

export interface AdapterUnderTest {
  readonly name: string;
  create(deps: HttpModelDeps): ModelPort;
  readonly provider: string;
  readonly model: string;
  /** Path after the loopback server's address. */
  readonly basePath: string;
  /** Text of the stream, frame by frame, exactly as the provider sends it. */
  wire(script: Script): readonly string[];
  /** Features that the provider's API does not support. */
  readonly without?: readonly ('thinking' | 'signature' | 'pieces')[];
  /** Reads the same server with the provider's own library, and returns its result. */
  secondOpinion?(baseUrl: string): Promise<SecondOpinion>;
}

export interface SecondOpinion {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly outputTokens: number;
}

export const testKey = 'sk-very-secret-key-1234567890';

export const targetOf = (adapter: AdapterUnderTest, origin: string): ModelTarget => ({
  provider: adapter.provider,
  model: adapter.model,
  baseUrl: `${origin}${adapter.basePath}`,
  apiKey: testKey,
  auth: 'api_key',
});

export const hello: ModelContext = {
  system: 'You are a test.',
  messages: [userMessage('hi', 1)],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
};

export const reply = (blocks: readonly ScriptBlock[], more: Partial<Script> = {}): Script => ({
  id: 'resp_1',
  blocks,
  stop: blocks.some((block) => block.type === 'call') ? 'toolUse' : 'stop',
  usage: { input: 12, output: 7, cacheRead: 5, reasoning: 2 },
  ...more,
});

export const said = (...pieces: string[]): ScriptBlock => ({ type: 'text', pieces });
export const thought = (...pieces: string[]): ScriptBlock => ({
  type: 'thinking',
  pieces,
  signature: 'c2lnbmF0dXJl',
});
export const called = (id: string, name: string, ...pieces: string[]): ScriptBlock => ({
  type: 'call',
  id,
  name,
  pieces,
});

export async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Message of the terminal event; throws without one. */
export function ending(events: readonly ModelEvent[]): AssistantMessage {
  const last = events.at(-1);
  if (last?.type !== 'done' && last?.type !== 'error') throw new Error('the stream has no end');
  return last.message;
}

export const textOf = (message: AssistantMessage): string =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

export const callsOf = (message: AssistantMessage) =>
  message.content.filter((block) => block.type === 'toolCall');

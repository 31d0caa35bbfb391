/**
 * Adapts a conversation to the next model (spec §2): drops content that only its original model understands,
 * puts exactly one result directly after each call, and maps ids to the target's alphabet. Pure: the
 * transcript stays unchanged, and messages that fit are passed through.
 */
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultMessage,
  UserContent,
} from './messages.ts';
import { textBlock } from './messages.ts';

export interface HandOffTarget {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  /** False replaces images by a sentence; `null` if unknown, then images are sent. */
  readonly vision: boolean | null;
}

/** Text for a model without vision in place of an image. */
export const imageWords = '[An image was here. You cannot see images.]';
const imageStandIn = textBlock(imageWords);
const noResult = 'No result: the call was not completed.';

export function handOff(messages: readonly Message[], target: HandOffTarget): Message[] {
  const results = indexResults(messages);
  const ids = new Ids(target.api);
  const out: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') out.push(seen(message, target));
    else if (message.role === 'assistant') out.push(...turn({ message, index, results, ids, target }));
  }
  return out;
}

interface Turn {
  readonly message: AssistantMessage;
  readonly index: number;
  readonly results: Results;
  readonly ids: Ids;
  readonly target: HandOffTarget;
}

/** The message, followed by one result per call in call order. */
function turn({ message, index, results, ids, target }: Turn): Message[] {
  if (message.stopReason === 'error' || message.stopReason === 'aborted') return [];
  const same = isOf(message, target);
  const content: AssistantContent[] = [];
  const answers: ToolResultMessage[] = [];
  for (const block of message.content) {
    if (block.type !== 'toolCall') {
      const kept = same ? block : foreign(block);
      if (kept) content.push(kept);
      continue;
    }
    const id = ids.next(block.id, same);
    content.push(renamed(same ? block : withoutSignature(block), id));
    const result = results.after(block.id, index) ?? madeUp(block, message.timestamp);
    answers.push(seen(result.toolCallId === id ? result : { ...result, toolCallId: id }, target));
  }
  return content.length === 0 ? [] : [withContent(message, content), ...answers];
}

/** Returns the message itself if nothing changed. */
function withContent(message: AssistantMessage, content: readonly AssistantContent[]): AssistantMessage {
  const changed =
    content.length !== message.content.length || content.some((b, n) => b !== message.content[n]);
  return changed ? { ...message, content } : message;
}

const isOf = (message: AssistantMessage, { api, provider, model }: HandOffTarget): boolean =>
  message.api === api && message.provider === provider && message.model === model;

/** From another model: text without signatures, and no thinking, which would be taken for speech. */
function foreign(block: Exclude<AssistantContent, ToolCallBlock>): AssistantContent | null {
  if (block.type === 'thinking') return null;
  return block.textSignature === undefined ? block : textBlock(block.text);
}

function withoutSignature(call: ToolCallBlock): ToolCallBlock {
  if (call.thoughtSignature === undefined) return call;
  const { thoughtSignature: _, ...rest } = call;
  return rest;
}

const renamed = (call: ToolCallBlock, id: string): ToolCallBlock => (call.id === id ? call : { ...call, id });

const madeUp = (call: ToolCallBlock, timestamp: number): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: call.id,
  toolName: call.name,
  content: [textBlock(noResult)],
  isError: true,
  timestamp,
});

function seen<M extends { readonly content: readonly UserContent[] }>(
  message: M,
  { vision }: HandOffTarget,
): M {
  if (vision !== false || message.content.every((block) => block.type === 'text')) return message;
  const content = message.content.map((block) => (block.type === 'image' ? imageStandIn : block));
  return { ...message, content };
}

interface Results {
  /** First unused result of this call after `index`. */
  after(callId: string, index: number): ToolResultMessage | null;
}

/** Some servers reuse ids in every reply, so the position counts, too. */
function indexResults(messages: readonly Message[]): Results {
  const waiting = new Map<string, { readonly index: number; readonly result: ToolResultMessage }[]>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'toolResult') continue;
    const known = waiting.get(message.toolCallId);
    if (known) known.push({ index, result: message });
    else waiting.set(message.toolCallId, [{ index, result: message }]);
  }
  return {
    after(callId, index) {
      const list = waiting.get(callId) ?? [];
      while (list[0] && list[0].index < index) list.shift();
      return list.shift()?.result ?? null;
    },
  };
}

const maxIdLength: Readonly<Record<string, number>> = { 'openai-completions': 40 };
const defaultIdLength = 64;

/** Maps ids to the target's alphabet, each unique in a conversation; deterministic per conversation. */
class Ids {
  readonly #used = new Set<string>();
  readonly #max: number;

  constructor(api: string) {
    this.#max = maxIdLength[api] ?? defaultIdLength;
  }

  /** `own`: an id of the target model itself, which accepts its own ids in any form. */
  next(id: string, own: boolean): string {
    const wish = own && id !== '' ? id : this.#fit(id || 'call');
    let free = wish;
    for (let n = 2; this.#used.has(free); n += 1) free = this.#shorten(`${wish}_${n}`);
    this.#used.add(free);
    return free;
  }

  #fit(id: string): string {
    const plain = id.replace(/[^A-Za-z0-9_-]/g, '_');
    return plain === id ? this.#shorten(id) : this.#shorten(`${plain}_${hash(id)}`);
  }

  #shorten(id: string): string {
    return id.length <= this.#max ? id : `${id.slice(0, this.#max - 9)}_${hash(id)}`;
  }
}

/** FNV-1a, 32 bits: separates ids with a common prefix. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

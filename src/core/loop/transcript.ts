/**
 * Conversation of one agent: append-only, with each message converted for the model once, and a running token
 * estimate. A request costs only what was added since the last one.
 */
import type { Message, TranscriptMessage } from '../models/messages.ts';
import { isSummary } from './plan-compaction.ts';
import { estimateTokens } from './tokens.ts';

type Convert = (messages: readonly TranscriptMessage[]) => readonly Message[] | Promise<readonly Message[]>;

export const isForModel = (message: TranscriptMessage): message is Message =>
  message.role === 'user' || message.role === 'assistant' || message.role === 'toolResult';

export class Transcript {
  #messages: TranscriptMessage[];
  #converted: Message[] = [];
  #convertedUpTo = 0;
  #convertedBy: Convert | null = null;
  #tokens = 0;
  /** Whether `#tokens` started from reported usage, which includes system prompt and tools. */
  #told = false;

  constructor(messages: readonly TranscriptMessage[] = []) {
    this.#messages = [...messages];
    const [first] = messages;
    // Usage reported before a compaction covers removed messages.
    const since = first && isSummary(first) ? first.timestamp : Number.NEGATIVE_INFINITY;
    this.#count(messages, since);
  }

  /** Grows in place. */
  get messages(): readonly TranscriptMessage[] {
    return this.#messages;
  }

  /** Tokens as last reported, with an estimate for newer messages. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Tokens of the whole next request; `overhead`: its system prompt and tools. */
  requestTokens(overhead: number): number {
    return this.#told ? this.#tokens : this.#tokens + overhead;
  }

  get last(): TranscriptMessage | undefined {
    return this.#messages.at(-1);
  }

  push(message: TranscriptMessage): void {
    this.#messages.push(message);
    this.#count([message], Number.NEGATIVE_INFINITY);
  }

  /** Discards earlier reported usage, because it covers removed messages. */
  replace(messages: readonly TranscriptMessage[]): void {
    this.#messages = [...messages];
    this.#converted = [];
    this.#convertedUpTo = 0;
    this.#tokens = 0;
    this.#told = false;
    this.#count(messages, Number.POSITIVE_INFINITY);
  }

  async forModel(convert: Convert): Promise<readonly Message[]> {
    if (convert !== this.#convertedBy) {
      this.#converted = [];
      this.#convertedUpTo = 0;
      this.#convertedBy = convert;
    }
    const from = this.#convertedUpTo;
    const fresh = from === 0 ? this.#messages : this.#messages.slice(from);
    if (fresh.length > 0) {
      const made = convert(fresh);
      for (const message of made instanceof Promise ? await made : made) this.#converted.push(message);
      this.#convertedUpTo = from + fresh.length;
    }
    return this.#converted;
  }

  /** `since`: ignores usage reported before this time, in ms since the epoch. */
  #count(messages: readonly TranscriptMessage[], since: number): void {
    for (const message of messages) {
      const holds = message.role === 'assistant' && message.timestamp >= since;
      const told = holds ? message.usage.totalTokens : 0;
      this.#tokens = told > 0 ? told : this.#tokens + estimateTokens(message);
      this.#told ||= told > 0;
    }
  }
}

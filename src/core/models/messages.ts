/**
 * Messages of a conversation with a model, independent of the provider. Names follow common agent loops. All
 * data is plain JSON, and immutable once its `message_end` was emitted.
 */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** Opaque provider data; replayed to the same model only. */
  readonly textSignature?: string;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly thinkingSignature?: string;
  /** The provider hid the text; only the signature is useful. */
  readonly redacted?: boolean;
}

export interface ImageBlock {
  readonly type: 'image';
  /** Standard base64, no data: prefix. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolCallBlock {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The streamed text was no JSON even after repair: the call fails validation and never runs. */
  readonly argumentsError?: string;
  readonly thoughtSignature?: string;
}

export type UserContent = TextBlock | ImageBlock;
export type AssistantContent = TextBlock | ThinkingBlock | ToolCallBlock;

/** Stored message that a user message was built from. */
export interface MessageSource {
  readonly id: string;
  readonly senderSlug: string;
}

export interface MessageOrigin {
  readonly messages: readonly MessageSource[];
  /**
   * Contains untrusted content without a message list: a summary, or a transcript of an older version (T9).
   */
  readonly untrusted: boolean;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserContent[];
  /** Source of the text; absent if the host wrote it. Never sent to a model. */
  readonly origin?: MessageOrigin;
  /** ms since the epoch. */
  readonly timestamp: number;
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
  /** Model that wrote it; hand-off to another model drops what only this one understands. */
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  /** Response id of the provider. Some repeat ids, so nothing is counted by it. */
  readonly responseId?: string;
  /** Times of request, first token and end, ms since the epoch. Absent in older transcripts. */
  readonly timing?: ModelTiming;
  readonly timestamp: number;
}

export interface ModelTiming {
  readonly startedAt: number;
  /** `null` if no token arrived. */
  readonly firstAt: number | null;
  readonly endedAt: number;
}

export interface ToolResultMessage {
  readonly role: 'toolResult';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly UserContent[];
  /** For people and logs; never sent to a model. */
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
}

/** Messages that can be sent to a model; `convertToLlm` leaves out all other roles of a transcript. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Transcript entry that is never sent to a model, e.g. a notice or a compaction mark. */
export interface NoteMessage {
  readonly role: 'note' | 'notification' | 'compaction';
  readonly content: readonly UserContent[];
  readonly details?: unknown;
  readonly timestamp: number;
}

export type TranscriptMessage = Message | NoteMessage;

/** Tokens. `reasoning` is part of `output`; `cost` is `null` while the price is unknown. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning?: number;
  readonly totalTokens: number;
  readonly cost: Cost | null;
}

/** US dollars. */
export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
}

export const noUsage: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: null,
};

export const textBlock = (text: string): TextBlock => ({ type: 'text', text });

export const userMessage = (text: string, timestamp: number): UserMessage => ({
  role: 'user',
  content: [textBlock(text)],
  timestamp,
});

/** All text of a message, without thinking and calls. */
export function transcriptText(message: TranscriptMessage): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

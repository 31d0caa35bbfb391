/**
 * The record of a turn of Claude Code in Kennel's transcript: its messages, calls and results in the form that
 * every runtime uses. The program sends a message block by block; blocks with the same id are one message.
 */

import {
  type AssistantContent,
  type AssistantMessage,
  noUsage,
  type ToolResultMessage,
  type UserContent,
} from '../../models/messages.ts';
import type { Clock } from '../../ports.ts';
import type { LiveTurn } from '../live-turn.ts';
import { toKennelCall } from './claude-calls.ts';
import type { ClaudeEvent } from './claude-events.ts';

type AssistantEvent = Extract<ClaudeEvent, { type: 'assistant' }>;
type ResultEvent = Extract<ClaudeEvent, { type: 'tool_result' }>;

const nothing: readonly UserContent[] = [{ type: 'text', text: '(no output)' }];

export class ClaudeRecord {
  readonly #live: LiveTurn;
  readonly #clock: Clock;
  readonly #provider: string;
  #open: { readonly id: string; message: AssistantMessage } | null = null;
  #said: AssistantMessage[] = [];
  /** Names of the calls of this turn, by id. */
  readonly #names = new Map<string, string>();
  readonly #started = new Set<string>();

  constructor(live: LiveTurn, clock: Clock, provider: string) {
    this.#live = live;
    this.#clock = clock;
    this.#provider = provider;
  }

  /** Messages since the newest message of a person. */
  get said(): readonly AssistantMessage[] {
    return this.#open ? [...this.#said, this.#open.message] : this.#said;
  }

  /** Number of calls that run now. */
  get running(): number {
    return this.#started.size;
  }

  assistant({ messageId, model, blocks, parentId }: AssistantEvent): void {
    const content = blocks.map((block) => this.#inKennel(block));
    for (const block of content)
      if (block.type === 'toolCall') this.#live.steps.begin(block.id, block.name, block.arguments);
    // A sub-agent's messages are part of its call.
    if (parentId !== null || content.length === 0) return;
    if (this.#open?.id !== messageId) this.close();
    const now = this.#clock.now();
    const before = this.#open?.message;
    const whole = [...(before?.content ?? []), ...content];
    const calls = whole.some(({ type }) => type === 'toolCall');
    const message: AssistantMessage = {
      role: 'assistant',
      content: whole,
      api: 'claude-code',
      provider: this.#provider,
      model,
      usage: noUsage,
      stopReason: calls ? 'toolUse' : 'stop',
      timestamp: before?.timestamp ?? now,
    };
    this.#open = { id: messageId, message };
  }

  /** Called before an effect. */
  started(callId: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#names.set(callId, tool);
    this.#started.add(callId);
    this.#live.journal.callStarted({ callId, tool, args, replay: 'never', at: this.#clock.now() });
  }

  result({ callId, content, isError, parentId }: ResultEvent, wasDenied: boolean): void {
    this.close();
    const shown = content.length === 0 ? nothing : content;
    if (!isError) this.#live.succeeded.push(callId);
    this.#live.steps.end(callId, wasDenied ? 'denied' : isError ? 'failed' : 'done', shown);
    const message: ToolResultMessage = {
      role: 'toolResult',
      toolCallId: callId,
      toolName: this.#names.get(callId) ?? 'sub_agent',
      content: shown,
      isError,
      timestamp: this.#clock.now(),
    };
    const ran = this.#started.delete(callId);
    if (parentId !== null) return;
    if (ran) this.#live.journal.callEnded(callId, message);
    else this.#live.journal.messageAdded(message);
  }

  /** The open message is complete. */
  close(): void {
    if (!this.#open) return;
    this.#said.push(this.#open.message);
    this.#live.journal.messageAdded(this.#open.message);
    this.#open = null;
  }

  /** A message of a person joined the turn. */
  joined(): void {
    this.#said = [];
  }

  /** Drops the text so far: it is not the answer. */
  void(): void {
    this.#said = [];
    this.#open = null;
  }

  #inKennel(block: AssistantContent): AssistantContent {
    if (block.type !== 'toolCall') return block;
    const call = toKennelCall(block.name, block.arguments);
    this.#names.set(block.id, call.name);
    return call.ok ? { ...block, name: call.name, arguments: call.args } : block;
  }
}

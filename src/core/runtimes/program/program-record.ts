/**
 * The record of a program's turn in Kennel's transcript: its messages, calls and results in the form that every
 * runtime uses. The program sends a message block by block; blocks with the same id are one message.
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

interface ProgramMessage {
  readonly messageId: string;
  readonly model: string;
  /** Calls have the names and arguments of Kennel's tools. */
  readonly blocks: readonly AssistantContent[];
  /** The call of a sub-agent that said it, or `null`. */
  readonly parentId: string | null;
}

interface ProgramResult {
  readonly callId: string;
  readonly content: readonly UserContent[];
  readonly isError: boolean;
  readonly parentId: string | null;
}

const cutOff: readonly UserContent[] = [
  { type: 'text', text: 'The program ended during this call. Nobody knows what the call has done.' },
];
const nothing: readonly UserContent[] = [{ type: 'text', text: '(no output)' }];

export class ProgramRecord {
  readonly #live: LiveTurn;
  readonly #clock: Clock;
  readonly #source: Pick<AssistantMessage, 'api' | 'provider'>;
  #open: { readonly id: string; message: AssistantMessage } | null = null;
  #said: AssistantMessage[] = [];
  /** Names of the calls of this turn, by id. */
  readonly #names = new Map<string, string>();
  readonly #started = new Set<string>();
  /** Calls of sub-agents. */
  readonly #nested = new Set<string>();

  constructor(live: LiveTurn, clock: Clock, source: Pick<AssistantMessage, 'api' | 'provider'>) {
    this.#live = live;
    this.#clock = clock;
    this.#source = source;
  }

  /** Messages since the newest message of a person. */
  get said(): readonly AssistantMessage[] {
    return this.#open ? [...this.#said, this.#open.message] : this.#said;
  }

  /** Number of calls that run now. */
  get running(): number {
    return this.#started.size;
  }

  assistant({ messageId, model, blocks: content, parentId }: ProgramMessage): void {
    for (const block of content) {
      if (block.type !== 'toolCall') continue;
      this.#names.set(block.id, block.name);
      if (parentId !== null) this.#nested.add(block.id);
      this.#live.steps.begin(block.id, block.name, block.arguments);
    }
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
      ...this.#source,
      model,
      usage: noUsage,
      stopReason: calls ? 'toolUse' : 'stop',
      timestamp: before?.timestamp ?? now,
    };
    this.#open = { id: messageId, message };
  }

  /** The call began, and has no result yet. */
  isStarted(callId: string): boolean {
    return this.#started.has(callId);
  }

  /** Called before an effect. */
  started(callId: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#names.set(callId, tool);
    this.#started.add(callId);
    this.#live.journal.callStarted({ callId, tool, args, replay: 'never', at: this.#clock.now() });
  }

  result(result: ProgramResult, wasDenied: boolean): void {
    this.#ended(result, wasDenied ? 'denied' : result.isError ? 'failed' : 'done');
  }

  /** The program is gone, so the effects of its running calls are unknown. */
  cut(): void {
    for (const callId of [...this.#started]) {
      const parentId = this.#nested.has(callId) ? '' : null;
      this.#ended({ callId, content: cutOff, isError: true, parentId }, 'unknown');
    }
  }

  #ended(
    { callId, content, isError, parentId }: ProgramResult,
    state: 'done' | 'failed' | 'denied' | 'unknown',
  ): void {
    this.close();
    const shown = content.length === 0 ? nothing : content;
    if (!isError) this.#live.succeeded.push(callId);
    this.#live.steps.end(callId, state, shown);
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
}

/**
 * Assembles one response from the stream of any provider and emits it as model events. It promises one start,
 * any number of deltas and at most one end per block, nothing after the terminal event, and that a call with
 * incomplete arguments can never run (F13).
 */
import { randomUUID } from 'node:crypto';
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { type AssistantMessage, noUsage, type StopReason } from '../../core/models/messages.ts';
import type { BlockEvent, ModelEvent, ModelFailure } from '../../core/models/model-ports.ts';
import { PartialJson } from '../../core/models/partial-json.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { mergeUsage, type UsagePart, type UsageSink, withCost } from './usage-sink.ts';

/** The provider's key for a block: an index or an id. Events follow the order in which blocks begin. */
export type BlockKey = string | number;
export type DoneReason = Extract<StopReason, 'stop' | 'length' | 'toolUse'>;
export type MessageHead = Pick<AssistantMessage, 'api' | 'provider' | 'model' | 'timestamp'>;

interface Draft {
  readonly type: 'text' | 'thinking' | 'toolCall';
  text?: string;
  textSignature?: string;
  thinking?: string;
  thinkingSignature?: string;
  redacted?: boolean;
  readonly id?: string;
  readonly name?: string;
  arguments?: Readonly<Record<string, unknown>>;
  argumentsError?: string;
  thoughtSignature?: string;
}

interface Block {
  readonly draft: Draft;
  readonly contentIndex: number;
  readonly json: PartialJson | null;
  ended: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** UTF-16 units of one response, over all blocks. */
const maxLength = 8 * 1024 * 1024;
const maxBlocks = 2_000;
const signatureKey = {
  text: 'textSignature',
  thinking: 'thinkingSignature',
  toolCall: 'thoughtSignature',
} as const;
const eventKind = { text: 'text', thinking: 'thinking', toolCall: 'toolcall' } as const;

export class MessageBuilder implements UsageSink {
  readonly #content: Draft[] = [];
  readonly #message: Writable<AssistantMessage>;
  readonly #blocks = new Map<BlockKey, Block>();
  readonly #ids = new Set<string>();
  #out: ModelEvent[] = [];
  #started = false;
  #ended = false;
  #length = 0;
  #breach: AppError | null = null;

  constructor(head: MessageHead) {
    const content = this.#content as unknown as AssistantMessage['content'];
    this.#message = { role: 'assistant', content, ...head, usage: noUsage, stopReason: 'stop' };
  }

  /** Still grows until the end. */
  get partial(): AssistantMessage {
    return this.#message;
  }

  /** Set once the stream contradicts itself or exceeds a cap: the response must fail with it. */
  get breach(): AppError | null {
    return this.#breach;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The events since the last call. */
  take(): readonly ModelEvent[] {
    const events = this.#out;
    this.#out = [];
    return events;
  }

  /** Emits the start event if none was emitted yet. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#out.push({ type: 'start', partial: this.#message });
  }

  responseId(id: string): void {
    if (id !== '' && !this.#ended) this.#message.responseId = id;
  }

  /** US dollars for the whole response, as the provider reports them; the parts stay unknown. */
  cost(total: number): void {
    this.#message.usage = withCost(this.#message.usage, total);
  }

  /** Later counts replace earlier ones, field by field. */
  usage(part: UsagePart): void {
    this.#message.usage = mergeUsage(this.#message.usage, part);
  }

  has(key: BlockKey): boolean {
    return this.#blocks.has(key);
  }

  /** Begins the block if the key is new, like the other methods. */
  text(key: BlockKey, delta: string): void {
    if (delta === '' || !this.#room(delta.length)) return;
    const block = this.#open(key, 'text', () => ({ type: 'text', text: '' }));
    if (!block) return;
    block.draft.text += delta;
    this.#delta(block, delta);
  }

  thinking(key: BlockKey, delta: string): void {
    if (!this.#room(delta.length)) return;
    const block = this.#open(key, 'thinking', () => ({ type: 'thinking', thinking: '' }));
    if (!block || delta === '') return;
    block.draft.thinking += delta;
    this.#delta(block, delta);
  }

  /** Thinking whose text the provider hides. */
  redacted(key: BlockKey, signature: string): void {
    if (!this.#room(signature.length)) return;
    const draft: Draft = { type: 'thinking', thinking: '', thinkingSignature: signature, redacted: true };
    this.#open(key, 'thinking', () => draft);
  }

  /** An empty id gets a generated one; a repeated id is made unique. */
  call(key: BlockKey, call: { readonly id: string; readonly name: string }): void {
    if (!this.#room(call.id.length + call.name.length)) return;
    if (this.#blocks.has(key)) this.#broke(say('models.duplicateCall'));
    else this.#begin(key, { type: 'toolCall', id: this.#freeId(call.id), name: call.name, arguments: {} });
  }

  /** A piece of a call's argument JSON. */
  argumentsPiece(key: BlockKey, delta: string): void {
    if (delta === '' || !this.#room(delta.length)) return;
    const block = this.#blocks.get(key);
    if (!block?.json || block.ended) {
      this.#broke(say('models.argumentsOutsideCall'));
      return;
    }
    block.json.push(delta);
    block.draft.arguments = block.json.value();
    this.#delta(block, delta);
  }

  /**
   * An opaque signature of text, thinking or call; pieces are joined. Allowed after the block's end, because
   * some providers send it late.
   */
  signature(key: BlockKey, piece: string): void {
    const block = this.#blocks.get(key);
    if (!block || !this.#room(piece.length)) return;
    const name = signatureKey[block.draft.type];
    block.draft[name] = (block.draft[name] ?? '') + piece;
  }

  end(key: BlockKey): void {
    const block = this.#blocks.get(key);
    if (block && !this.#ended) this.#end(block);
  }

  endAll(): void {
    if (!this.#ended) for (const block of this.#blocks.values()) this.#end(block);
  }

  /** Ends all open blocks and the message. */
  done(reason: DoneReason): void {
    if (this.#ended) return;
    this.start();
    this.endAll();
    const calls = this.#content.some((draft) => draft.type === 'toolCall');
    const why = reason === 'stop' && calls ? 'toolUse' : reason;
    this.#message.stopReason = why;
    this.#out.push({ type: 'done', reason: why, message: this.#message });
    this.#ended = true;
  }

  /** Ends the message; open blocks get no end event, and calls among them are marked as cut off. */
  fail(failure: ModelFailure): void {
    if (this.#ended) return;
    for (const { draft, json, ended } of this.#blocks.values())
      if (json && !ended) draft.argumentsError = 'The reply broke off inside this call.';
    const reason = failure.error.code === 'cancelled' ? 'aborted' : 'error';
    this.#message.stopReason = reason;
    const { message, hint } = failure.error;
    this.#message.errorMessage = hint === undefined ? message : `${message} ${hint}`;
    this.#out.push({ type: 'error', reason, message: this.#message, failure });
    this.#ended = true;
  }

  #broke(text: HostMessage): null {
    this.#breach ??= appError('protocol', text);
    return null;
  }

  #room(units: number): boolean {
    if (this.#ended || this.#breach) return false;
    this.#length += units;
    if (this.#length <= maxLength) return true;
    this.#breach = fail('too_large', 'models.replyTooLarge');
    return false;
  }

  #begin(key: BlockKey, draft: Draft): Block | null {
    if (this.#content.length >= maxBlocks) {
      this.#breach ??= fail('too_large', 'models.tooManyBlocks');
      return null;
    }
    const json = draft.type === 'toolCall' ? new PartialJson() : null;
    const block: Block = { draft, contentIndex: this.#content.length, json, ended: false };
    this.#content.push(draft);
    this.#blocks.set(key, block);
    this.#edge(block, 'start');
    return block;
  }

  /** The open block with this key and type, or `null` on a breach. */
  #open(key: BlockKey, type: Draft['type'], fresh: () => Draft): Block | null {
    const known = this.#blocks.get(key);
    if (!known) return this.#begin(key, fresh());
    if (known.draft.type !== type) return this.#broke(say('models.blockKindChanged'));
    return known.ended ? this.#broke(say('models.blockAlreadyEnded')) : known;
  }

  #end(block: Block): void {
    if (block.ended) return;
    block.ended = true;
    if (block.json) {
      const whole = block.json.finish();
      if (whole.ok) block.draft.arguments = whole.value;
      else block.draft.argumentsError = whole.error;
    }
    this.#edge(block, 'end');
  }

  #edge({ draft, contentIndex }: Block, edge: 'start' | 'end'): void {
    this.start();
    const event: BlockEvent = {
      type: `${eventKind[draft.type]}_${edge}`,
      contentIndex,
      partial: this.#message,
    };
    this.#out.push(event);
  }

  #delta({ draft, contentIndex }: Block, delta: string): void {
    const type = `${eventKind[draft.type]}_delta` as const;
    this.#out.push({ type, contentIndex, delta, partial: this.#message });
  }

  #freeId(wish: string): string {
    let id = wish === '' ? `call_${randomUUID()}` : wish;
    for (let n = 2; this.#ids.has(id); n += 1) id = `${wish}_${n}`;
    this.#ids.add(id);
    return id;
  }
}

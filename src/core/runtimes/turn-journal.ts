/**
 * Records a turn while it runs: intents before effects, results as they arrive. The final answer is held
 * back, to be stored in the same transaction as the reply. After `freeze` it records nothing: this process
 * must not overwrite what a resumed turn continues from.
 */
import type { LoopJournal, StartedCall } from '../loop/loop-config.ts';
import type { ToolResultMessage, TranscriptMessage } from '../models/messages.ts';
import type { TranscriptStore } from '../models/transcript-store.ts';

export interface TurnJournalDeps {
  readonly transcripts: TranscriptStore;
  readonly threadKey: string;
  readonly turnId: string;
  digest(tool: string, args: Readonly<Record<string, unknown>>): string;
}

const isAnswer = (message: TranscriptMessage): boolean =>
  message.role === 'assistant' && message.content.every((block) => block.type !== 'toolCall');

export class TurnJournal implements LoopJournal {
  readonly #deps: TurnJournalDeps;
  readonly #known = new WeakSet<TranscriptMessage>();
  #held: TranscriptMessage[] = [];
  #frozen = false;
  #fault: { readonly error: unknown } | null = null;

  constructor(deps: TurnJournalDeps) {
    this.#deps = deps;
  }

  /** The error of the store, or `null`; after one the turn ends and is resumed later. */
  get fault(): { readonly error: unknown } | null {
    return this.#fault;
  }

  /** The messages to be stored with the reply. */
  get held(): readonly TranscriptMessage[] {
    return this.#held;
  }

  /**
   * Stores the answer before the operator is asked about it, so that the approval is about the same answer
   * after a crash.
   */
  keepAnswer(): void {
    this.#write(() => this.#release());
  }

  freeze(): void {
    this.#frozen = true;
  }

  /** Marks a message as already stored. */
  recorded(message: TranscriptMessage): void {
    this.#known.add(message);
  }

  /** A store failure during `work` ends the turn like one here. */
  async whileRecording<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  messageAdded(message: TranscriptMessage): void {
    if (this.#known.has(message)) return;
    if (isAnswer(message)) {
      this.#write(() => this.#release());
      if (!this.#frozen) this.#held.push(message);
      return;
    }
    this.#write(() => {
      const { transcripts, threadKey } = this.#deps;
      transcripts.append(threadKey, [...this.#held, message]);
      this.#held = [];
    });
  }

  callStarted(call: StartedCall): void {
    const { transcripts, threadKey, turnId, digest } = this.#deps;
    // A turn that was left to be resumed must not act here any more.
    if (this.#frozen) throw new Error('The turn is over.');
    this.#write(() => {
      transcripts.callStarted(threadKey, { ...call, turnId, digest: digest(call.tool, call.args) });
    });
  }

  callEnded(callId: string, result: ToolResultMessage): void {
    this.#write(() => this.#deps.transcripts.callEnded(this.#deps.threadKey, callId, result));
  }

  compacted(summary: TranscriptMessage, kept: number): void {
    this.#write(() => {
      this.#release();
      const { transcripts, threadKey } = this.#deps;
      const entries = transcripts.load(threadKey);
      const first = kept === 0 ? (entries.at(-1)?.seq ?? 0) + 1 : entries.at(-kept)?.seq;
      if (first !== undefined) transcripts.compact(threadKey, first, summary);
    });
  }

  #release(): void {
    if (this.#held.length === 0) return;
    this.#deps.transcripts.append(this.#deps.threadKey, this.#held);
    this.#held = [];
  }

  #write(work: () => void): void {
    if (this.#frozen) return;
    try {
      work();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#fault ??= { error };
    this.#frozen = true;
  }
}

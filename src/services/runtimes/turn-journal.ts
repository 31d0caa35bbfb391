/**
 * Writes down what a turn does while it does it: intents before effects, results when they are there. The answer itself
 * is held back, to be kept in the same transaction as the reply. Once frozen it records nothing: what another life of
 * the turn will take up must not be written over by this one.
 */
import type { LoopJournal, StartedCall } from '../../core/loop/loop-config.ts';
import type { ToolResultMessage, TranscriptMessage } from '../../core/models/messages.ts';
import type { TranscriptStore } from '../../core/tool-ports.ts';

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

  /** What the store threw; the turn is over then, and goes on another time. */
  get fault(): { readonly error: unknown } | null {
    return this.#fault;
  }

  /** To be kept with the reply. */
  get held(): readonly TranscriptMessage[] {
    return this.#held;
  }

  /** The answer is kept before the operator is asked about it: asked again after a crash, it is the same answer. */
  keepAnswer(): void {
    this.#write(() => this.#release());
  }

  freeze(): void {
    this.#frozen = true;
  }

  /** It is in the store already. */
  recorded(message: TranscriptMessage): void {
    this.#known.add(message);
  }

  /** What fails to be recorded elsewhere ends the turn like what fails here. */
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
    // A turn that is taken up elsewhere must not act here any more.
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

/**
 * The running turn that all runtimes share: its record, steps, time limit, taint and readers (T9), and its end.
 * A runtime adds the work itself.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { HostText } from '../../language/host-message.ts';
import { sleep } from '../lib/sleep.ts';
import { utcMinute } from '../lib/utc-time.ts';
import { failed } from '../loop/agent-state.ts';
import { isSummary } from '../loop/plan-compaction.ts';
import {
  type AssistantMessage,
  type TranscriptMessage,
  transcriptText,
  type UserMessage,
} from '../models/messages.ts';
import type { Clock } from '../ports.ts';
import type { RuntimeEvent, TurnAbort, TurnInput } from '../supervisor/runtime-port.ts';
import type { EventChannel } from './event-channel.ts';
import { GatedTools, type GatedTurn } from './gated-tools.ts';
import { innerSuccesses } from './inner-calls.ts';
import type { AgentKit, TurnResources } from './runtime-ports.ts';
import { TurnClock } from './turn-clock.ts';
import { TurnJournal } from './turn-journal.ts';
import { TurnReads } from './turn-sources.ts';
import { TurnSteps } from './turn-steps.ts';
import { isTainted } from './turn-taint.ts';
import { askToSend, partsOf, spokenText, withheldNote } from './withheld-answer.ts';

/** ms between two looks at the clock of a parked turn. */
const recheckMs = 30_000;

export const turnFailure = (
  error: AppError,
  partialText: string,
  transcript: readonly TranscriptMessage[],
): RuntimeEvent => ({ type: 'turn_failed', error, partialText, transcript });

export interface LiveTurnParts {
  readonly turn: TurnInput;
  readonly kit: AgentKit;
  readonly channel: EventChannel<RuntimeEvent>;
  readonly signal: AbortSignal;
}

export class LiveTurn {
  readonly parts: LiveTurnParts;
  readonly journal: TurnJournal;
  readonly steps: TurnSteps;
  readonly clock: TurnClock;
  /** Aborts requests and tools. */
  readonly abort = new AbortController();
  /** Also withdraws the approvals: the turn will not continue. */
  readonly ended = new AbortController();
  /** The transcript as the turn found it. */
  readonly messages: readonly TranscriptMessage[];
  readonly reads: TurnReads;
  /**
   * Successful calls of this turn, also from before a restart; a compaction may remove them from the
   * transcript.
   */
  readonly succeeded: string[];
  readonly #turns: TurnResources;
  readonly #time: Clock;
  #tainted: boolean;
  /** The reason why the final answer is not sent, or `null`. */
  #withheld: HostText | null = null;
  #streamed = '';
  #late = false;

  constructor(turns: TurnResources, clock: Clock, parts: LiveTurnParts) {
    const { turn, kit, channel } = parts;
    const { transcripts, digest, readers, settings } = turns;
    this.#turns = turns;
    this.#time = clock;
    this.parts = parts;
    this.journal = new TurnJournal({ transcripts, digest, threadKey: turn.threadKey, turnId: turn.turnId });
    this.steps = new TurnSteps(clock, (step) => channel.push({ type: 'step', step }));
    this.clock = new TurnClock(clock, settings().turnMs, () => {
      this.#late = true;
      this.end();
    });
    const entries = transcripts.load(turn.threadKey);
    this.messages = entries.map(({ message }) => message);
    const ofTurn = entries.filter(({ seq }) => seq >= turn.firstSeq).map(({ message }) => message);
    this.steps.recall(ofTurn);
    this.succeeded = ofTurn.flatMap((message) =>
      message.role === 'toolResult'
        ? [...(message.isError ? [] : [message.toolCallId]), ...innerSuccesses(message.details)]
        : [],
    );
    // A tool that is no longer offered may have brought in untrusted content.
    const own = new Set(kit.tools.filter((tool) => tool.foreign !== true).map(({ name }) => name));
    this.#tainted =
      turn.tainted ||
      kit.foreignNotes() ||
      isTainted(this.messages, { isOperator: readers.isOperator, isForeign: (tool) => !own.has(tool) });
    this.reads = new TurnReads({
      audience: readers.audience,
      log: readers.reads,
      threadKey: turn.threadKey,
      place: turn.answersIn,
      hasResults: this.messages.some((message) => message.role === 'toolResult' || isSummary(message)),
    });
    if (this.#tainted) this.taint();
  }

  get tainted(): boolean {
    return this.#tainted;
  }

  /** True if the turn ran out of time. */
  get late(): boolean {
    return this.#late;
  }

  taint(): void {
    this.#tainted = true;
    this.reads.taint();
  }

  /** Runs `work` until the turn is stopped or left, and throws the store's error if its record failed. */
  async whileOpen(work: () => Promise<void>): Promise<void> {
    const { signal } = this.parts;
    const onAbort = (): void => (signal.reason === 'stopped' ? this.end() : this.leave());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await work();
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.clock.stop();
    }
    const { fault } = this.journal;
    if (fault) throw fault.error;
  }

  /** Leaves the turn to be resumed later: nothing more is recorded, and its approvals stay open. */
  leave(): void {
    this.journal.freeze();
    this.clock.stop();
    this.abort.abort('interrupted' satisfies TurnAbort);
  }

  end(): void {
    this.ended.abort();
    this.abort.abort('stopped' satisfies TurnAbort);
  }

  /** `over` withdraws the approvals of these tools before the end of the turn. */
  gated(begunBefore: ReadonlySet<string>, over?: AbortSignal, subAgent?: GatedTurn['subAgent']): GatedTools {
    const { turn, kit } = this.parts;
    const ended = this.ended.signal;
    return new GatedTools({
      facts: { agentId: turn.agentId, turnId: turn.turnId, threadKey: turn.threadKey },
      kit,
      begunBefore,
      steps: this.steps,
      clock: this.clock,
      ended: over ? AbortSignal.any([ended, over]) : ended,
      place: turn.place,
      time: this.#time,
      reads: this.reads,
      tainted: () => this.#tainted,
      taint: () => this.taint(),
      succeeded: (callId) => this.succeeded.push(callId),
      ...(subAgent ? { subAgent } : {}),
    });
  }

  delta(text: string): void {
    this.steps.thought();
    this.#streamed += text;
    this.parts.channel.push({ type: 'text_delta', text });
  }

  /** Text streamed so far is not the answer. */
  void(): void {
    if (this.#streamed === '') return;
    this.#streamed = '';
    this.parts.channel.push({ type: 'text_void' });
  }

  waiting(wait: { readonly attempt: number; readonly inMs: number; readonly error: AppError }): void {
    this.#streamed = '';
    this.parts.channel.push({ type: 'retrying', ...wait });
  }

  /**
   * Waits until the account of the model accepts requests again: without the slot of the turn, and outside of
   * its time. `pausedUntil` is asked again, because the wall clock counts and the operator may choose another
   * model.
   */
  async park(provider: string, pausedUntil: () => number | null): Promise<void> {
    const until = pausedUntil();
    if (until === null) return;
    const error = fail('rate_limited', 'turns.planPaused', { provider, until: utcMinute(until) });
    this.void();
    this.waiting({ attempt: 1, inMs: until - this.#time.now(), error });
    this.clock.pause();
    try {
      await this.parts.turn.place.lend(this.#untilOver(pausedUntil));
    } finally {
      this.clock.resume();
    }
  }

  async #untilOver(pausedUntil: () => number | null): Promise<void> {
    for (;;) {
      const until = pausedUntil();
      if (until === null || this.abort.signal.aborted) return;
      const inMs = Math.max(1, until - this.#time.now());
      await sleep(this.#time, Math.min(inMs, recheckMs), this.abort.signal);
    }
  }

  /** Messages of the thread that arrived meanwhile and belong to this turn now; `null` if none. */
  async arrived(): Promise<UserMessage | null> {
    const taken = await this.journal.whileRecording(() => this.parts.turn.arrivals.take());
    if (!taken) return null;
    this.journal.recorded(taken.message);
    if (taken.tainted) this.taint();
    return taken.message;
  }

  /**
   * Asks the operator before an answer reveals something that not all readers of the conversation may know
   * (T9).
   */
  async askToSend(said: readonly AssistantMessage[], tools: GatedTools): Promise<void> {
    const { turn } = this.parts;
    const last = said.at(-1);
    if (turn.answersIn?.by !== 'reply' || this.abort.signal.aborted || !last || failed(last)) return;
    const text = this.#sentAs() === null ? spokenText(said) : null;
    const heldBack = text === null ? null : await this.reads.heldBack(this.#tainted);
    if (text === null || heldBack === null) return;
    this.journal.keepAnswer();
    this.#withheld = await askToSend(tools, this.steps, turn.turnId, { text, heldBack }, this.abort.signal);
  }

  /** `why` is the error of an answer that failed for another reason than a stop or the time limit. */
  tellEnd(said: readonly AssistantMessage[], why: (last: AssistantMessage | undefined) => AppError): void {
    const { channel, signal } = this.parts;
    if (signal.aborted && signal.reason !== 'stopped') return;
    this.steps.close();
    const transcript = [...this.journal.held];
    const last = said.at(-1);
    if (signal.aborted || this.#late || !last || failed(last)) {
      const error = this.#whyEnded() ?? why(last);
      channel.push(turnFailure(error, last ? transcriptText(last) : '', transcript));
      return;
    }
    const sentAs = this.#sentAs();
    const withheld = this.#withheld;
    if (withheld !== null) transcript.push(withheldNote(withheld, this.#time.now()));
    channel.push({
      type: 'turn_done',
      parts: partsOf(said),
      transcript,
      messageSent: sentAs !== null,
      ...(withheld === null ? {} : { withheld }),
      ...(sentAs === null ? {} : { sentAs }),
    });
  }

  #whyEnded(): AppError | null {
    if (this.#late) {
      const minutes = Math.round(this.#turns.settings().turnMs / 6_000) / 10;
      return fail('timeout', 'turns.turnTookTooLong', { n: minutes }, { help: 'turns.raiseTurnLimit' });
    }
    return this.parts.signal.aborted ? fail('cancelled', 'turns.turnStopped') : null;
  }

  #sentAs(): string | null {
    const { turn, kit } = this.parts;
    return kit.sentHere(turn.turnId, this.succeeded);
  }
}

/**
 * The `chat-local` runtime: the agent loop inside the host. A turn continues from its transcript and is
 * recorded while it runs. The last event is always `turn_done` or `turn_failed`; a store
 * failure is thrown, and the turn resumes later.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { say } from '../../language/say.ts';
import { runLoop, type Start } from '../loop/agent-loop.ts';
import { failed, unansweredCalls } from '../loop/agent-state.ts';
import { type CompactionReport, isSummary } from '../loop/compaction.ts';
import type { AgentEvent } from '../loop/events.ts';
import type { LoopConfig } from '../loop/loop-config.ts';
import { type Recovered, recover } from '../loop/recover.ts';
import type { Run } from '../loop/run.ts';
import { Transcript } from '../loop/transcript.ts';
import {
  type AssistantMessage,
  type TranscriptMessage,
  transcriptText,
  userMessage,
} from '../models/messages.ts';
import type { SpendQuestion } from '../models/spend-gate.ts';
import type { RuntimeEvent, RuntimePort, TurnAbort, TurnInput } from '../supervisor/runtime-port.ts';
import { createEventChannel, type EventChannel } from './event-channel.ts';
import { GatedTools } from './gated-tools.ts';
import { createModelStream, loopModelOf } from './model-stream.ts';
import type { AgentKit, ChatLocalDeps } from './runtime-ports.ts';
import { waitForMoney } from './spend-wait.ts';
import { TurnClock } from './turn-clock.ts';
import { TurnJournal } from './turn-journal.ts';
import { TurnReads } from './turn-sources.ts';
import { TurnSteps } from './turn-steps.ts';
import { isTainted } from './turn-taint.ts';
import { askToSend, partsOf, spokenText, withheldNote } from './withheld-answer.ts';

/** ms that a tool has to end after its turn is stopped. */
const toolAbortMs = 5_000;
/**
 * ms without an event. Adapters time out earlier: they watch the bytes, and tolerate a model that only sends
 * keep-alives.
 */
const idleMs = 330_000;

export function createChatLocalRuntime(deps: ChatLocalDeps): RuntimePort {
  return { run: (turn, signal) => runTurn(deps, turn, signal) };
}

async function* runTurn(
  deps: ChatLocalDeps,
  turn: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const { models, turns } = deps;
  const chosen = await models.choose();
  if (!chosen.ok) {
    yield failure(chosen.error, '', []);
    return;
  }
  const model = loopModelOf(chosen.value, await models.facts(chosen.value));
  const kit = await turns.kit();
  const channel = createEventChannel<RuntimeEvent>();
  const live = new LiveTurn(deps, { turn, kit, channel, signal });
  live.run(model).then(
    () => channel.close(),
    (error: unknown) => channel.close(error),
  );
  try {
    yield* channel.read();
  } finally {
    live.leave();
  }
}

const failure = (
  error: AppError,
  partialText: string,
  transcript: readonly TranscriptMessage[],
): RuntimeEvent => ({ type: 'turn_failed', error, partialText, transcript });

interface Parts {
  readonly turn: TurnInput;
  readonly kit: AgentKit;
  readonly channel: EventChannel<RuntimeEvent>;
  readonly signal: AbortSignal;
}

class LiveTurn {
  readonly #deps: ChatLocalDeps;
  readonly #parts: Parts;
  readonly #journal: TurnJournal;
  readonly #steps: TurnSteps;
  readonly #clock: TurnClock;
  /** Aborts requests and tools. */
  readonly #abort = new AbortController();
  /** Also withdraws approvals, because the turn will not continue. */
  readonly #ended = new AbortController();
  readonly #messages: TranscriptMessage[];
  /**
   * Successful calls of this turn, also from before a restart; a compaction may remove them from the
   * transcript.
   */
  readonly #succeeded: string[];
  #transcript: Transcript;
  readonly #reads: TurnReads;
  #tools: GatedTools | null = null;
  #tainted: boolean;
  /** The reason why the final answer is not sent, or `null`. */
  #withheld: string | null = null;
  #streamed = '';
  #failure: AppError | null = null;
  #late = false;
  /** Number of times this turn asked the operator for more budget. */
  #asked = 0;

  constructor(deps: ChatLocalDeps, parts: Parts) {
    const { turn, kit, channel } = parts;
    const { clock } = deps;
    const { transcripts, digest, readers, settings } = deps.turns;
    this.#deps = deps;
    this.#parts = parts;
    this.#journal = new TurnJournal({ transcripts, digest, threadKey: turn.threadKey, turnId: turn.turnId });
    this.#steps = new TurnSteps(clock, (step) => channel.push({ type: 'step', step }));
    this.#clock = new TurnClock(clock, settings().turnMs, () => {
      this.#late = true;
      this.#end();
    });
    const entries = transcripts.load(turn.threadKey);
    this.#messages = entries.map(({ message }) => message);
    const ofTurn = entries.filter(({ seq }) => seq >= turn.firstSeq).map(({ message }) => message);
    this.#steps.recall(ofTurn);
    this.#succeeded = ofTurn.flatMap((message) =>
      message.role === 'toolResult' && !message.isError ? [message.toolCallId] : [],
    );
    this.#transcript = new Transcript(this.#messages);
    // A tool that is no longer offered may have brought in untrusted content.
    const own = new Set(kit.tools.filter((tool) => tool.foreign !== true).map(({ name }) => name));
    this.#tainted =
      turn.tainted ||
      kit.foreignNotes() ||
      isTainted(this.#messages, { isOperator: readers.isOperator, isForeign: (tool) => !own.has(tool) });
    this.#reads = new TurnReads({
      audience: readers.audience,
      log: readers.reads,
      threadKey: turn.threadKey,
      place: turn.answersIn,
      hasResults: this.#messages.some((message) => message.role === 'toolResult' || isSummary(message)),
    });
    if (this.#tainted) this.#taint();
  }

  async run(model: Run['settings']['model']): Promise<void> {
    const { signal, turn } = this.#parts;
    const onAbort = (): void => (signal.reason === 'stopped' ? this.#end() : this.leave());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const { turns, clock } = this.#deps;
      const open = turns.transcripts.openCalls(turn.threadKey);
      const found = recover(this.#messages, open, clock.now());
      if (found.unfinished && !this.#abort.signal.aborted) {
        this.#take(found);
        const begun = new Set(open.map(({ callId }) => callId));
        await this.#loop(new Set(found.rerun.map(({ id }) => id).filter((id) => begun.has(id))), model);
      }
      await this.#askToSend();
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#clock.stop();
    }
    const { fault } = this.#journal;
    if (fault) throw fault.error;
    this.#tellEnd();
  }

  /** Leaves the turn to be resumed later: nothing more is recorded, and its approvals stay open. */
  leave(): void {
    this.#journal.freeze();
    this.#clock.stop();
    this.#abort.abort('interrupted' satisfies TurnAbort);
  }

  #end(): void {
    this.#ended.abort();
    this.#abort.abort('stopped' satisfies TurnAbort);
  }

  /** Records lost results as unknown, once; the model is not called again for anything it has answered. */
  #take({ messages, added }: Recovered): void {
    for (const message of added) {
      if (message.role !== 'toolResult') this.#journal.messageAdded(message);
      else {
        this.#journal.callEnded(message.toolCallId, message);
        this.#steps.end(message.toolCallId, 'unknown', message.content);
      }
    }
    this.#transcript = new Transcript(messages);
  }

  async #loop(begunBefore: ReadonlySet<string>, model: Run['settings']['model']): Promise<void> {
    const { turn } = this.#parts;
    const unanswered = unansweredCalls(this.#transcript.messages);
    const start: Start = unanswered ? { type: 'calls', ...unanswered } : { type: 'continue' };
    const tools = this.#gated(begunBefore);
    this.#tools = tools;
    const run: Run = {
      config: this.#config(tools),
      settings: {
        system: turn.system,
        tools: tools.loopTools,
        model,
        thinkingLevel: this.#deps.turns.settings().thinking,
      },
      transcript: this.#transcript,
      signal: this.#abort.signal,
      created: [],
      turnOpen: false,
      overflows: 0,
      emit: (event) => {
        this.#hear(event);
        return undefined;
      },
    };
    await runLoop(run, start);
  }

  #gated(begunBefore: ReadonlySet<string>): GatedTools {
    const { turn, kit } = this.#parts;
    return new GatedTools({
      facts: { agentId: turn.agentId, turnId: turn.turnId, threadKey: turn.threadKey },
      kit,
      begunBefore,
      steps: this.#steps,
      clock: this.#clock,
      ended: this.#ended.signal,
      place: turn.place,
      reads: this.#reads,
      tainted: () => this.#tainted,
      taint: () => this.#taint(),
    });
  }

  #taint(): void {
    this.#tainted = true;
    this.#reads.taint();
  }

  /**
   * Asks the operator before an answer reveals something that not all readers of the conversation may know
   * (T9).
   */
  async #askToSend(): Promise<void> {
    const { turn } = this.#parts;
    const said = this.#answers();
    const last = said.at(-1);
    if (turn.answersIn?.by !== 'reply' || this.#abort.signal.aborted || !last || failed(last)) return;
    const text = this.#sentAs() === null ? spokenText(said) : null;
    const heldBack = text === null ? null : await this.#reads.heldBack(this.#tainted);
    if (text === null || heldBack === null) return;
    this.#journal.keepAnswer();
    const tools = this.#tools ?? this.#gated(new Set());
    this.#withheld = await askToSend(tools, this.#steps, turn.turnId, { text, heldBack }, this.#abort.signal);
  }

  #config(tools: GatedTools): LoopConfig {
    const { turn, channel } = this.#parts;
    const { clock, random, log, models, turns } = this.#deps;
    const waiting: (wait: { attempt: number; inMs: number; error: AppError }) => void = (wait) => {
      this.#streamed = '';
      channel.push({ type: 'retrying', ...wait });
    };
    const model = createModelStream(
      { models, spend: turns.spend, clock, random },
      {
        agentId: turn.agentId,
        threadKey: turn.threadKey,
        turnId: turn.turnId,
        onWaiting: waiting,
        onCalled: (call) => channel.push({ type: 'model_called', call }),
        ended: this.#ended.signal,
        onAsked: (question, signal) => this.#waitForMoney(question, signal),
        onFailure: (error) => {
          this.#failure = error;
        },
      },
    );
    const compaction = {
      ...(turn.keptWords ? { keptWords: turn.keptWords } : {}),
      isUntrusted: () => this.#tainted,
    };
    return {
      clock,
      random,
      journal: this.#journal,
      compaction,
      toolAbortMs,
      idleMs,
      sessionId: turn.threadKey,
      stream: model.stream,
      prepareRequest: async ({ messages }, signal) => {
        await model.beforeRequest(signal);
        const notes = turn.untrustedNotes ?? '';
        return notes === '' ? undefined : { messages: [userMessage(notes, 0), ...messages] };
      },
      beforeToolCall: (view, signal) => tools.before(view, signal),
      recheckToolCall: (view, signal) => tools.recheck(view, signal),
      getSteeringMessages: () => this.#arrived(),
      prepareNextTurn: async () => {
        const chosen = await models.choose();
        if (!chosen.ok) return undefined;
        return { model: loopModelOf(chosen.value, await models.facts(chosen.value)) };
      },
      onCompaction: (report) => this.#compacted(report),
      onRetry: ({ attempt, inMs, failure: { error } }) => {
        log.warn('model_retry', { turnId: turn.turnId, attempt, inMs, code: error.code });
        waiting({ attempt, inMs, error });
      },
    };
  }

  #waitForMoney(question: SpendQuestion, signal: AbortSignal): Promise<boolean> {
    const { turn, kit } = this.#parts;
    this.#asked += 1;
    const back = (): void => {
      if (kit.foreignNotes()) this.#taint();
    };
    const waiting = { place: turn.place, clock: this.#clock, steps: this.#steps, back };
    return waitForMoney(waiting, question, this.#asked, signal);
  }

  /** Discards the streamed text of an answer that did not fit; the model is called again for it. */
  #compacted(report: CompactionReport): void {
    const { log } = this.#deps;
    const { turnId } = this.#parts.turn;
    if (report.type === 'failed') log.warn('compaction_failed', { turnId, code: report.error.code });
    if (report.type === 'dropped') {
      const { dropped, kept, tokens } = report;
      log.warn('oldest_dropped', { turnId, dropped, kept, tokens });
    }
    if (report.type === 'done') {
      const { summarised, kept, tokens } = report;
      log.info('compacted', { turnId, summarised, kept, tokens });
    }
    if (report.type !== 'done' && report.type !== 'dropped') return;
    this.#void();
  }

  #void(): void {
    if (this.#streamed === '') return;
    this.#streamed = '';
    this.#parts.channel.push({ type: 'text_void' });
  }

  /**
   * Takes new messages only between two steps, while the turn continues anyway: a message that arrives while
   * the answer is written gets its own answer, in the next turn.
   */
  async #arrived(): Promise<readonly TranscriptMessage[]> {
    if (this.#abort.signal.aborted || this.#transcript.last?.role !== 'toolResult') return [];
    const taken = await this.#journal.whileRecording(() => this.#parts.turn.arrivals.take());
    if (!taken) return [];
    this.#journal.recorded(taken.message);
    if (taken.tainted) this.#taint();
    return [taken.message];
  }
  #hear(event: AgentEvent): void {
    const { channel } = this.#parts;
    switch (event.type) {
      case 'message_start':
        if (event.message.role === 'assistant') this.#void();
        return;
      case 'message_update': {
        const update = event.assistantMessageEvent;
        if (update.type !== 'text_delta') return;
        this.#streamed += update.delta;
        channel.push({ type: 'text_delta', text: update.delta });
        return;
      }
      case 'tool_execution_start':
        this.#steps.begin(event.toolCallId, event.toolName, event.args);
        return;
      case 'tool_execution_update':
        this.#steps.progress(event.toolCallId, event.partialResult);
        return;
      case 'tool_execution_end': {
        if (!event.isError) this.#succeeded.push(event.toolCallId);
        const denied = this.#tools?.denied.has(event.toolCallId) === true;
        const state = denied ? 'denied' : event.isError ? 'failed' : 'done';
        const { content, restorePoint } = event.result;
        this.#steps.end(event.toolCallId, state, content, this.#deps.clock.now(), restorePoint);
        return;
      }
      default:
    }
  }
  #tellEnd(): void {
    const { channel, signal } = this.#parts;
    if (signal.aborted && signal.reason !== 'stopped') return;
    this.#steps.close();
    const transcript = [...this.#journal.held];
    const said = this.#answers();
    const last = said.at(-1);
    if (signal.aborted || this.#late || !last || failed(last)) {
      channel.push(failure(this.#whyFailed(last), last ? transcriptText(last) : '', transcript));
      return;
    }
    const sentAs = this.#sentAs();
    const withheld = this.#withheld;
    if (withheld !== null) transcript.push(withheldNote(withheld, this.#deps.clock.now()));
    channel.push({
      type: 'turn_done',
      parts: partsOf(said),
      transcript,
      messageSent: sentAs !== null,
      ...(withheld === null ? {} : { withheld }),
      ...(sentAs === null ? {} : { sentAs }),
    });
  }
  #whyFailed(last: AssistantMessage | undefined): AppError {
    if (this.#late) {
      const minutes = Math.round(this.#deps.turns.settings().turnMs / 6_000) / 10;
      return fail('timeout', 'turns.turnTookTooLong', { n: minutes }, { help: 'turns.raiseTurnLimit' });
    }
    if (this.#parts.signal.aborted) return fail('cancelled', 'turns.turnStopped');
    const hint = last?.errorMessage;
    return this.#failure ?? appError('model_error', say('workflows.modelGaveNoAnswer'), hint ? { hint } : {});
  }
  /** The model's messages of this turn, in order. */
  #answers(): readonly AssistantMessage[] {
    const { messages } = this.#transcript;
    const from = messages.findLastIndex(({ role }) => role === 'user');
    return messages.slice(from + 1).filter((message) => message.role === 'assistant');
  }
  #sentAs(): string | null {
    const { turn, kit } = this.#parts;
    return kit.sentHere(turn.turnId, this.#succeeded);
  }
}

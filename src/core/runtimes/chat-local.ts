/**
 * The `chat-local` runtime: the agent loop inside the host. A turn continues from its transcript and is
 * recorded while it runs. The last event is always `turn_done` or `turn_failed`; a store
 * failure is thrown, and the turn resumes later.
 */

import { type AppError, textError } from '../../contract/errors.ts';
import { say } from '../../language/say.ts';
import { runLoop, type Start } from '../loop/agent-loop.ts';
import { unansweredCalls } from '../loop/agent-state.ts';
import { type DirectiveOptions, directiveInstructions, withDirectives } from '../loop/directive-stream.ts';
import type { AgentEvent } from '../loop/events.ts';
import type { LoopConfig } from '../loop/loop-config.ts';
import type { CompactionReport } from '../loop/plan-compaction.ts';
import { type Recovered, recover } from '../loop/recover.ts';
import type { Run } from '../loop/run.ts';
import { Transcript } from '../loop/transcript.ts';
import { type AssistantMessage, type TranscriptMessage, userMessage } from '../models/messages.ts';
import type { SpendQuestion } from '../models/spend-gate.ts';
import type { RuntimeEvent, RuntimePort, TurnInput } from '../supervisor/runtime-port.ts';
import type { InnerCalls, SubAgentEnd, SubAgentRequest } from '../tools/tool.ts';
import { createEventChannel, readWhile } from './event-channel.ts';
import type { GatedTools } from './gated-tools.ts';
import { LiveTurn, type LiveTurnParts, turnFailure } from './live-turn.ts';
import { createModelStream, loopModelOf } from './model-stream.ts';
import type { ChatLocalDeps } from './runtime-ports.ts';
import { waitForMoney } from './spend-wait.ts';
import { runSubAgent } from './sub-agent.ts';

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
    yield turnFailure(chosen.error, '', []);
    return;
  }
  const model = loopModelOf(chosen.value, await models.facts(chosen.value));
  const kit = await turns.kit();
  const channel = createEventChannel<RuntimeEvent>();
  const live = new ChatTurn(deps, { turn, kit, channel, signal });
  yield* readWhile(channel, live.run(model), () => live.leave());
}

class ChatTurn {
  readonly #deps: ChatLocalDeps;
  readonly #live: LiveTurn;
  #transcript: Transcript;
  #tools: GatedTools | null = null;
  #failure: AppError | null = null;
  /** Number of times this turn asked the operator for more budget. */
  #asked = 0;

  constructor(deps: ChatLocalDeps, parts: LiveTurnParts) {
    this.#deps = deps;
    this.#live = new LiveTurn(deps.turns, deps.clock, parts);
    this.#transcript = new Transcript(this.#live.messages);
  }

  async run(model: Run['settings']['model']): Promise<void> {
    const live = this.#live;
    await live.whileOpen(async () => {
      const { turns, clock } = this.#deps;
      const open = turns.transcripts.openCalls(live.parts.turn.threadKey);
      const found = recover(live.messages, open, clock.now());
      if (found.unfinished && !live.abort.signal.aborted) {
        this.#take(found);
        const begun = new Set(open.map(({ callId }) => callId));
        await this.#loop(new Set(found.rerun.map(({ id }) => id).filter((id) => begun.has(id))), model);
      }
      await live.askToSend(this.#answers(), this.#tools ?? live.gated(new Set()));
    });
    live.tellEnd(this.#answers(), (last) => this.#whyFailed(last));
  }

  leave(): void {
    this.#live.leave();
  }

  /** Records lost results as unknown, once; the model is not called again for anything it has answered. */
  #take({ messages, added }: Recovered): void {
    for (const message of added) {
      if (message.role !== 'toolResult') this.#live.journal.messageAdded(message);
      else {
        this.#live.journal.callEnded(message.toolCallId, message);
        this.#live.steps.end(message.toolCallId, 'unknown', message.content);
      }
    }
    this.#transcript = new Transcript(messages);
  }

  async #loop(begunBefore: ReadonlySet<string>, model: Run['settings']['model']): Promise<void> {
    const { turn } = this.#live.parts;
    const unanswered = unansweredCalls(this.#transcript.messages);
    const start: Start = unanswered ? { type: 'calls', ...unanswered } : { type: 'continue' };
    const tools = this.#live.gated(begunBefore, undefined, (inner, request, signal) =>
      this.#subAgent({ inner, model }, request, signal),
    );
    this.#tools = tools;
    const directives: DirectiveOptions = {
      hasTool: (name) => tools.loopTools.some((tool) => tool.name === name),
      uuid: () => this.#deps.random.uuid(),
    };
    const run: Run = {
      config: this.#config(tools, directives),
      settings: {
        system:
          turn.system + (this.#deps.turns.settings().directives ? directiveInstructions(directives) : ''),
        tools: tools.loopTools,
        model,
        thinkingLevel: this.#deps.turns.settings().thinking,
      },
      transcript: this.#transcript,
      signal: this.#live.abort.signal,
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

  #config(tools: GatedTools, directives: DirectiveOptions): LoopConfig {
    const live = this.#live;
    const { turn } = live.parts;
    const { clock, random, log, models, turns } = this.#deps;
    const model = this.#modelStream();
    const compaction = {
      ...(turn.keptWords ? { keptWords: turn.keptWords } : {}),
      isUntrusted: () => live.tainted,
    };
    return {
      clock,
      random,
      journal: live.journal,
      compaction,
      toolAbortMs,
      idleMs,
      sessionId: turn.threadKey,
      stream: turns.settings().directives ? withDirectives(model.stream, directives) : model.stream,
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
      onFailure: (error) => {
        this.#failure = error;
      },
      onRetry: ({ attempt, inMs, failure: { error } }) => {
        log.warn('model_retry', { turnId: turn.turnId, attempt, inMs, code: error.code });
        live.waiting({ attempt, inMs, error });
      },
    };
  }

  #modelStream(): ReturnType<typeof createModelStream> {
    const live = this.#live;
    const { turn, channel } = live.parts;
    const { clock, random, models, turns } = this.#deps;
    return createModelStream(
      { models, spend: turns.spend, clock, random },
      {
        agentId: turn.agentId,
        threadKey: turn.threadKey,
        turnId: turn.turnId,
        onWaiting: (wait) => live.waiting(wait),
        park: (provider, pausedUntil) => live.park(provider, pausedUntil),
        onCalled: (call) => channel.push({ type: 'model_called', call }),
        ended: live.ended.signal,
        onAsked: (question, signal) => this.#waitForMoney(question, signal),
      },
    );
  }

  /** Requests of a sub-agent are those of the turn: same gate of the provider, same budgets, same records. */
  #subAgent(
    { inner, model }: { readonly inner: InnerCalls; readonly model: Run['settings']['model'] },
    request: SubAgentRequest,
    signal: AbortSignal,
  ): Promise<SubAgentEnd> {
    const { clock, random, turns } = this.#deps;
    const access = this.#modelStream();
    const config = {
      clock,
      random,
      idleMs,
      stream: access.stream,
      prepareRequest: async (_: unknown, requestSignal: AbortSignal) => {
        await access.beforeRequest(requestSignal);
        return undefined;
      },
      compaction: { isUntrusted: () => this.#live.tainted },
    };
    const settings = { model, thinkingLevel: turns.settings().thinking };
    return runSubAgent({ config, settings, inner }, request, signal);
  }

  #waitForMoney(question: SpendQuestion, signal: AbortSignal): Promise<boolean> {
    const { turn, kit } = this.#live.parts;
    this.#asked += 1;
    const back = (): void => {
      if (kit.foreignNotes()) this.#live.taint();
    };
    const waiting = { place: turn.place, clock: this.#live.clock, steps: this.#live.steps, back };
    return waitForMoney(waiting, question, this.#asked, signal);
  }

  /** Discards the streamed text of an answer that did not fit; the model is called again for it. */
  #compacted(report: CompactionReport): void {
    const { log } = this.#deps;
    const { turnId } = this.#live.parts.turn;
    if (report.type === 'failed') log.warn('compaction_failed', { turnId, code: report.error.code });
    if (report.type === 'dropped') {
      const { dropped, kept, tokens } = report;
      log.warn('oldest_dropped', { turnId, dropped, kept, tokens });
    }
    if (report.type === 'done') {
      const { summarised, kept, tokens } = report;
      log.info('compacted', { turnId, summarised, kept, tokens });
    }
    if (report.type === 'done' || report.type === 'dropped') this.#live.void();
  }

  /**
   * Takes new messages only between two steps, while the turn continues anyway: a message that arrives while
   * the answer is written gets its own answer, in the next turn.
   */
  async #arrived(): Promise<readonly TranscriptMessage[]> {
    const live = this.#live;
    if (live.abort.signal.aborted || this.#transcript.last?.role !== 'toolResult') return [];
    const message = await live.arrived();
    return message ? [message] : [];
  }

  #hear(event: AgentEvent): void {
    const live = this.#live;
    switch (event.type) {
      case 'message_start':
        if (event.message.role === 'assistant') live.void();
        return;
      case 'message_update': {
        const update = event.assistantMessageEvent;
        if (update.type === 'text_delta') live.delta(update.delta);
        if (update.type === 'thinking_delta') live.steps.think(update.delta);
        return;
      }
      case 'tool_execution_start':
        this.#live.steps.begin(event.toolCallId, event.toolName, event.args);
        return;
      case 'tool_execution_update':
        this.#live.steps.progress(event.toolCallId, event.partialResult);
        return;
      case 'tool_execution_end': {
        if (!event.isError) live.succeeded.push(event.toolCallId);
        const denied = this.#tools?.denied.has(event.toolCallId) === true;
        const state = denied ? 'denied' : event.isError ? 'failed' : 'done';
        const { content, restorePoint } = event.result;
        this.#live.steps.end(event.toolCallId, state, content, this.#deps.clock.now(), restorePoint);
        return;
      }
      default:
    }
  }

  #whyFailed(last: AssistantMessage | undefined): AppError {
    const hint = last?.errorMessage;
    return (
      this.#failure ?? textError('model_error', say('workflows.modelGaveNoAnswer'), hint ? { hint } : {})
    );
  }

  /** The model's messages of this turn, in order. */
  #answers(): readonly AssistantMessage[] {
    const { messages } = this.#transcript;
    const from = messages.findLastIndex(({ role }) => role === 'user');
    return messages.slice(from + 1).filter((message) => message.role === 'assistant');
  }
}

/**
 * One turn of Claude Code: gives it the new messages of the thread, streams its text, answers its requests
 * behind the gate, and ends like a turn of every other runtime. The turn ends with an error if the program
 * ends, falls silent, or works in a mode that does not ask.
 */
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { AssistantContent } from '../../models/messages.ts';
import type { GatedTools } from '../gated-tools.ts';
import type { LiveTurn } from '../live-turn.ts';
import { gateLost, modelError, programEnded, readPlanLimit } from '../program/program-errors.ts';
import type { ProgramDeps, ProgramSetup, SessionTurn } from '../program/program-ports.ts';
import { ProgramRecord } from '../program/program-record.ts';
import { ProgramTurnEnd } from '../program/turn-end.ts';
import { isAskedTool, toKennelCall } from './claude-calls.ts';
import type { ClaudeResult, ClaudeUsage } from './claude-events.ts';
import { ClaudeGate } from './claude-gate.ts';
import { refuseLine } from './claude-requests.ts';
import type { ClaudeSession, SessionEvent } from './claude-session.ts';

/** Message of the program when it cannot resume a session. */
const unknownSession = /no conversation found/i;

export class ClaudeTurn {
  readonly #deps: ProgramDeps;
  readonly #live: LiveTurn;
  readonly #turn: Pick<SessionTurn<ClaudeSession>, 'limited'>;
  readonly #session: ClaudeSession;
  readonly #setup: ProgramSetup;
  readonly #record: ProgramRecord;
  readonly #gate: ClaudeGate;
  readonly #end: ProgramTurnEnd;
  /** Messages written to the program, and those that it has read. */
  #sent = 0;
  #taken = 0;
  #status: number | null = null;
  #isSessionUnknown = false;
  #hasEnded = false;
  /** ms since the epoch when the plan of the login begins anew, as the program last said. */
  #resetsAt: number | null = null;
  #request: { readonly model: string; readonly startedAt: number; firstAt: number | null } | null = null;
  #steering: Promise<void> = Promise.resolve();
  /** Calls without a result that must ask, by id. */
  readonly #acting = new Map<string, ReturnType<typeof inKennel>>();

  constructor(
    deps: ProgramDeps,
    live: LiveTurn,
    tools: GatedTools,
    turn: Pick<SessionTurn<ClaudeSession>, 'session' | 'setup' | 'limited'>,
  ) {
    const { session, setup } = turn;
    this.#turn = turn;
    this.#deps = deps;
    this.#live = live;
    this.#session = session;
    this.#setup = setup;
    this.#record = new ProgramRecord(live, deps.clock, { api: 'claude-code', provider: setup.provider });
    const { clock } = deps;
    const lost = (): void => this.#end.endProgram(gateLost(setup.title));
    const parts = { live, record: this.#record, tools, clock, lost };
    this.#gate = new ClaudeGate(parts, (line) => session.write(line));
    this.#end = new ProgramTurnEnd({
      clock,
      title: setup.title,
      session,
      isBusy: () => this.#gate.calls.isAsked || this.#record.running > 0,
      interrupt: () => session.interrupt(),
    });
  }

  get record(): ProgramRecord {
    return this.#record;
  }

  /** True if the program has no session of the id that it was started with. */
  get isSessionUnknown(): boolean {
    return this.#isSessionUnknown;
  }

  /** The program ended by itself or fell silent. */
  get isProgramGone(): boolean {
    return this.#hasEnded || this.#end.isStalled;
  }

  get error(): AppError | null {
    return this.#end.error;
  }

  /** Calls `begin` once events are heard, and resolves at the end of the turn. */
  async run(begin: () => void): Promise<void> {
    const leave = this.#session.use((event) => this.#hear(event));
    try {
      await this.#end.wait(this.#live.abort.signal, begin);
      await this.#steering;
    } finally {
      leave();
      if (this.isProgramGone && !this.#live.abort.signal.aborted) this.#record.cut();
      this.#record.close();
    }
  }

  /** The message counts as given; call it in `begin`, or to steer. */
  send(content: Parameters<ClaudeSession['send']>[0]): void {
    this.#sent += 1;
    this.#session.send(content);
  }

  #hear(event: SessionEvent): void {
    this.#end.heard();
    try {
      this.#take(event);
    } catch (error) {
      // The record failed, and no effect may happen without a record.
      this.#deps.log.error('claude_turn_failed', { error: String(error) });
      this.#end.endProgram();
    }
  }

  #take(event: SessionEvent): void {
    const { clock } = this.#deps;
    switch (event.type) {
      case 'started':
        if (event.mode !== 'default')
          this.#end.endProgram(
            fail('forbidden', 'turns.programDoesNotAsk', { title: this.#setup.title, mode: event.mode }),
          );
        return;
      case 'request_started':
        this.#live.void();
        this.#noteContext(event.usage, null);
        this.#request = { model: event.model, startedAt: clock.now(), firstAt: null };
        return;
      case 'text_delta':
        if (this.#request) this.#request.firstAt ??= clock.now();
        this.#live.delta(event.text);
        return;
      case 'thinking_delta':
        this.#live.steps.think(event.text);
        return;
      case 'request_ended':
        this.#called(event.usage, event.stop);
        return;
      case 'assistant':
        // Written by the program itself, e.g. "API Error"; the result says more.
        if (event.model !== '<synthetic>') this.#said(event);
        return;
      case 'tool_result':
        this.#noteUnasked(event.callId);
        this.#record.result(event, this.#gate.calls.refused.has(event.callId));
        if (event.parentId === null) this.#steer();
        return;
      case 'taken':
        this.#taken += 1;
        return;
      case 'permission':
        void this.#gate.permission(event);
        return;
      case 'mcp':
        void this.#gate.mcp(event);
        return;
      case 'other_request':
        this.#session.write(refuseLine(event.requestId, `${event.subtype} is not supported here.`));
        return;
      case 'cancelled':
        this.#gate.cancelled(event.requestId);
        return;
      case 'retry':
        this.#retrying(event.attempt, event.inMs, event.status);
        return;
      case 'limit':
        this.#resetsAt = event.until ?? this.#resetsAt;
        if (event.isReached) this.#limited(event.until);
        return;
      case 'result':
        void this.#result(event);
        return;
      case 'ended':
        this.#end.error ??= this.#whyEnded(event.exit.code);
        this.#hasEnded = !event.exit.wasEnded;
        this.#end.finish();
        return;
      case 'response':
        if (event.error !== null)
          this.#deps.log.warn('claude_request_failed', { why: event.error.slice(0, 300) });
        return;
    }
  }

  /** With the host's relay, the relay itself hears of limits. */
  #limited(until: number | null): void {
    if (!this.#session.isMetered) this.#turn.limited(until ?? this.#resetsAt);
  }

  #said(event: Extract<SessionEvent, { type: 'assistant' }>): void {
    const blocks = event.blocks.map(inKennel);
    for (const [index, block] of event.blocks.entries())
      if (block.type === 'toolCall' && isAskedTool(block.name))
        this.#acting.set(block.id, blocks[index] ?? block);
    this.#record.assistant({ ...event, blocks });
  }

  /** A version that runs a call without asking must not hide what the turn has read (T9). */
  #noteUnasked(callId: string): void {
    const call = this.#acting.get(callId);
    this.#acting.delete(callId);
    const { calls } = this.#gate;
    if (call?.type !== 'toolCall' || calls.refused.has(callId) || this.#record.isStarted(callId)) return;
    calls.began(callId, call.name, call.arguments);
  }

  #whyEnded(code: number | null): AppError {
    const tail = this.#session.stderrTail().slice(-2_000);
    this.#isSessionUnknown = unknownSession.test(tail);
    return programEnded(this.#deps.log, this.#setup.title, code, tail);
  }

  /** Messages that arrived meanwhile are given between two steps. */
  #steer(): void {
    if (this.#live.abort.signal.aborted) return;
    this.#steering = this.#steering
      .then(async () => {
        const message = await this.#live.arrived();
        if (!message || this.#live.abort.signal.aborted) return;
        this.#record.joined();
        this.send(message.content);
      })
      .catch(() => this.#end.endProgram());
  }

  #noteContext({ input, cacheRead, cacheWrite }: ClaudeUsage, size: number | null): void {
    const used = input + cacheRead + cacheWrite;
    if (used > 0) this.#deps.agent.noteContext?.({ used, size });
  }

  #retrying(attempt: number, inMs: number, status: number | null): void {
    this.#status = status;
    const error = fail('unavailable', 'turns.modelAnswersError', { status: String(status ?? '?') });
    this.#live.waiting({ attempt, inMs, error });
  }

  #called(
    usage: { readonly input?: number; readonly output?: number; readonly cacheRead?: number },
    stop: string,
  ): void {
    const request = this.#request;
    if (!request) return;
    this.#request = null;
    this.#live.parts.channel.push({
      type: 'model_called',
      call: {
        kind: 'model',
        provider: this.#setup.provider,
        ...request,
        endedAt: this.#deps.clock.now(),
        input: usage.input ?? 0,
        output: usage.output ?? 0,
        cacheRead: usage.cacheRead ?? 0,
        usd: null,
        stop,
        error: '',
      },
    });
  }

  async #result(result: ClaudeResult): Promise<void> {
    this.#spend(result);
    await this.#steering;
    const { aborted } = this.#live.abort.signal;
    if (result.isError && !aborted) {
      const limit = readPlanLimit(result.text);
      if (limit) this.#limited(limit.until);
      this.#isSessionUnknown = unknownSession.test(result.text);
      this.#end.error ??= resultError(result, this.#status);
      this.#record.void();
    }
    // A message that came too late for this answer gets one of its own, which replaces it.
    if (this.#taken >= this.#sent || this.#end.error || aborted) this.#end.finish();
  }

  /** Without a relay the program reports what it used, after the fact. */
  #spend({ usage, totalUsd }: ClaudeResult): void {
    const { turn } = this.#live.parts;
    const total = totalUsd ?? this.#session.totalUsd;
    const usd = Math.max(0, total - this.#session.totalUsd);
    this.#session.totalUsd = total;
    const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    if (this.#session.isMetered || tokens === 0) return;
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#deps.turns.spend.record({
      agentId: turn.agentId,
      threadKey: turn.threadKey,
      turnId: turn.turnId,
      provider: this.#setup.provider,
      model: this.#setup.model || 'claude',
      callId: this.#deps.random.uuid(),
      usage: { ...usage, totalTokens: tokens, cost: totalUsd === null ? null : { ...none, total: usd } },
      simulated: false,
      at: this.#deps.clock.now(),
    });
  }
}

function resultError({ text, subtype }: ClaudeResult, status: number | null): AppError {
  if (subtype === 'error_max_turns')
    return fail('too_large', 'turns.maxTurnsReached', {}, { help: 'turns.goOnOrRaiseMaxTurns' });
  return modelError(text || subtype, status);
}

function inKennel(block: AssistantContent): AssistantContent {
  if (block.type !== 'toolCall') return block;
  const call = toKennelCall(block.name, block.arguments);
  return call.ok ? { ...block, name: call.name, arguments: call.args } : block;
}

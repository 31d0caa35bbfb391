/**
 * One turn of Claude Code: gives it the new messages of the thread, streams its text, answers its requests
 * behind the gate, and ends like a turn of every other runtime. The turn ends with an error if the program
 * ends, falls silent, or works in a mode that does not ask.
 */
import { type AppError, textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { say } from '../../../language/say.ts';
import type { AssistantContent } from '../../models/messages.ts';
import type { Timer } from '../../ports.ts';
import type { GatedTools } from '../gated-tools.ts';
import type { LiveTurn } from '../live-turn.ts';
import type { ProgramDeps, ProgramSetup } from '../program/program-ports.ts';
import { ProgramRecord } from '../program/program-record.ts';
import { toKennelCall } from './claude-calls.ts';
import type { ClaudeResult } from './claude-events.ts';
import { ClaudeGate } from './claude-gate.ts';
import { refuseLine } from './claude-requests.ts';
import type { ClaudeSession, SessionEvent } from './claude-session.ts';

/** ms without a line while nothing runs and nobody is asked: longer than a provider's slowest first token. */
const stallMs = 330_000;
/** As the program says it when it resumes. */
const unknownSession = /no conversation found/i;
/** ms that an interrupted program has to report the end of its turn. */
const interruptMs = 2_000;

export class ClaudeTurn {
  readonly #deps: ProgramDeps;
  readonly #live: LiveTurn;
  readonly #session: ClaudeSession;
  readonly #setup: ProgramSetup;
  readonly #record: ProgramRecord;
  readonly #gate: ClaudeGate;
  readonly #over: Promise<void>;
  #finish = (): void => undefined;
  #error: AppError | null = null;
  /** Messages given to the program, and those it has taken up. */
  #sent = 0;
  #taken = 0;
  #status: number | null = null;
  #isSessionUnknown = false;
  #request: { readonly model: string; readonly startedAt: number; firstAt: number | null } | null = null;
  #stall: Timer | null = null;
  #steering: Promise<void> = Promise.resolve();

  constructor(
    deps: ProgramDeps,
    live: LiveTurn,
    tools: GatedTools,
    { session, setup }: { readonly session: ClaudeSession; readonly setup: ProgramSetup },
  ) {
    this.#deps = deps;
    this.#live = live;
    this.#session = session;
    this.#setup = setup;
    this.#over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#record = new ProgramRecord(live, deps.clock, { api: 'claude-code', provider: setup.provider });
    this.#gate = new ClaudeGate(live, this.#record, tools, deps.clock, (line) => session.write(line));
  }

  get record(): ProgramRecord {
    return this.#record;
  }

  /** True if the program has no session of the id that it was started with. */
  get isSessionUnknown(): boolean {
    return this.#isSessionUnknown;
  }

  get error(): AppError | null {
    return this.#error;
  }

  /** Calls `begin` once events are heard, and resolves at the end of the turn. */
  async run(begin: () => void): Promise<void> {
    const leave = this.#session.use((event) => this.#hear(event));
    const { signal } = this.#live.abort;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else begin();
    this.#watch();
    try {
      await this.#over;
      await this.#steering;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#stall?.cancel();
      leave();
      this.#record.close();
    }
  }

  /** The message counts as given; call it in `begin`, or to steer. */
  send(content: Parameters<ClaudeSession['send']>[0]): void {
    this.#sent += 1;
    this.#session.send(content);
  }

  /** A stopped turn is interrupted and its session lives on; one that is left must not act any more. */
  #stop(): void {
    const { clock } = this.#deps;
    if (this.#live.abort.signal.reason === 'stopped') {
      this.#session.interrupt();
      clock.after(interruptMs, () => this.#end(), { unref: true });
    } else this.#end();
  }

  /** Ends the program; the turn ends with it. */
  #end(error?: AppError): void {
    this.#error ??= error ?? null;
    void this.#session.end();
    this.#finish();
  }

  #watch(): void {
    this.#stall?.cancel();
    this.#stall = this.#deps.clock.after(
      stallMs,
      () => {
        if (this.#gate.isAsked || this.#record.running > 0) this.#watch();
        else this.#end(fail('timeout', 'turns.programFellSilent', { title: this.#setup.title }));
      },
      { unref: true },
    );
  }

  #hear(event: SessionEvent): void {
    this.#watch();
    try {
      this.#take(event);
    } catch (error) {
      // The record failed: nothing may go on without one.
      this.#deps.log.error('claude_turn_failed', { error: String(error) });
      this.#end();
    }
  }

  #take(event: SessionEvent): void {
    const { clock } = this.#deps;
    switch (event.type) {
      case 'started':
        if (event.mode !== 'default')
          this.#end(
            fail('forbidden', 'turns.programDoesNotAsk', { title: this.#setup.title, mode: event.mode }),
          );
        return;
      case 'request_started':
        this.#live.void();
        this.#request = { model: event.model, startedAt: clock.now(), firstAt: null };
        return;
      case 'text_delta':
        if (this.#request) this.#request.firstAt ??= clock.now();
        this.#live.delta(event.text);
        return;
      case 'request_ended':
        this.#called(event.usage, event.stop);
        return;
      case 'assistant':
        // Written by the program itself, e.g. "API Error"; the result says more.
        if (event.model !== '<synthetic>')
          this.#record.assistant({ ...event, blocks: event.blocks.map(inKennel) });
        return;
      case 'tool_result':
        this.#record.result(event, this.#gate.refused.has(event.callId));
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
      case 'result':
        void this.#result(event);
        return;
      case 'ended':
        this.#error ??= this.#whyEnded(event.code);
        this.#finish();
        return;
      case 'response':
        if (event.error !== null)
          this.#deps.log.warn('claude_request_failed', { why: event.error.slice(0, 300) });
        return;
    }
  }

  #whyEnded(code: number | null): AppError {
    const tail = this.#session.stderrTail().slice(-2_000);
    this.#isSessionUnknown = unknownSession.test(tail);
    this.#deps.log.warn('claude_ended', { code, tail });
    return fail('unavailable', 'turns.programEnded', { title: this.#setup.title, code: String(code ?? '?') });
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
      .catch(() => this.#end());
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
      this.#isSessionUnknown = unknownSession.test(result.text);
      this.#error ??= whyFailed(result, this.#status);
      this.#record.void();
    }
    // A message that came too late for this answer gets one of its own, which replaces it.
    if (this.#taken >= this.#sent || this.#error || aborted) this.#finish();
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

function inKennel(block: AssistantContent): AssistantContent {
  if (block.type !== 'toolCall') return block;
  const call = toKennelCall(block.name, block.arguments);
  return call.ok ? { ...block, name: call.name, arguments: call.args } : block;
}

/** The program's own text is untrusted and long, so only its kind is reported; the text is a hint. */
function whyFailed({ text, subtype }: ClaudeResult, status: number | null): AppError {
  const hint = { hint: (text || subtype).slice(0, 300) };
  if (status === 401 || status === 403 || /authenticat|log ?in/i.test(text.slice(0, 80)))
    return textError('unauthenticated', say('turns.modelRefusedKey'), hint);
  if (status === 429 || /limit/i.test(text.slice(0, 80)))
    return textError('rate_limited', say('turns.modelAskedTooOften'), hint);
  if (status !== null && status >= 500) return textError('unavailable', say('turns.modelUnavailable'), hint);
  return textError('model_error', say('turns.modelRefusedRequest'), hint);
}

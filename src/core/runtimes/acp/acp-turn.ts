/**
 * One turn of a program by the Agent Client Protocol: gives it the new messages of the thread, streams its text,
 * answers its requests behind the gate, and ends like a turn of every other runtime.
 */
import { textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { say } from '../../../language/say.ts';
import { noUsage, type UserContent } from '../../models/messages.ts';
import type { HarnessExit } from '../harness-ports.ts';
import type { LiveTurn } from '../live-turn.ts';
import { gateLost, programEnded, readPlanLimit } from '../program/program-errors.ts';
import type { ProgramDeps, ProgramSetup, SessionTurn } from '../program/program-ports.ts';
import { ProgramRecord } from '../program/program-record.ts';
import { ProgramTurnEnd } from '../program/turn-end.ts';
import { joinCall, resultText, toKennelAction } from './acp-calls.ts';
import { acpError, failureError, isGone } from './acp-errors.ts';
import { AcpGate } from './acp-gate.ts';
import { AcpHostTools } from './acp-host-tools.ts';
import { type AcpCall, type AcpUpdate, readFailure, readStopReason } from './acp-messages.ts';
import type { AcpAnswer } from './acp-ports.ts';
import type { AcpSession } from './acp-session.ts';

export class AcpTurn {
  readonly #deps: ProgramDeps;
  readonly #live: LiveTurn;
  readonly #limited: SessionTurn<AcpSession>['limited'];
  readonly #session: AcpSession;
  readonly #setup: ProgramSetup;
  readonly #mode: string | null;
  readonly #gate: AcpGate;
  readonly #calls = new Map<string, AcpCall>();
  /** Calls that are in the transcript, and those of them that have no result. */
  readonly #shown = new Set<string>();
  readonly #open = new Set<string>();
  /** Names of tools of the host by the ids of calls that the program reports as its own. */
  readonly #hostCalls = new Map<string, string>();
  readonly tools: AcpHostTools;
  readonly record: ProgramRecord;
  readonly end: ProgramTurnEnd;
  #text = '';
  #messages = 0;
  #isAfterResult = false;
  #hasEnded = false;

  constructor(
    deps: ProgramDeps,
    turn: Omit<SessionTurn<AcpSession>, 'isFresh' | 'plan' | 'given'>,
    mode: string | null,
  ) {
    const { live, tools, session, setup } = turn;
    const { clock } = deps;
    this.#limited = turn.limited;
    this.#deps = deps;
    this.#live = live;
    this.#session = session;
    this.#setup = setup;
    this.#mode = mode;
    this.record = new ProgramRecord(live, clock, { api: 'acp', provider: setup.provider });
    const lost = (): void => this.end.endProgram(gateLost(setup.title));
    const parts = { live, record: this.record, tools, clock, lost };
    this.#gate = new AcpGate(parts, setup.cwd, {
      asked: (call) => this.#show(this.#join(call)),
    });
    this.tools = new AcpHostTools(
      {
        ...parts,
        begin: ({ callId, name, args }) => {
          this.end.heard();
          this.#flush();
          this.#say([{ type: 'toolCall', id: callId, name, arguments: args }]);
        },
        ended: () => this.#gotResult(),
      },
      this.#gate.calls,
    );
    this.end = new ProgramTurnEnd({
      clock,
      title: setup.title,
      session,
      isBusy: () => this.#gate.calls.isAsked || this.#open.size > 0 || this.#hostCalls.size > 0,
      interrupt: () => session.cancel(),
    });
  }

  async run(content: readonly UserContent[]): Promise<void> {
    const leave = this.#session.use({
      update: (update) => this.#hear(update),
      permission: (params) => this.#gate.permission(params),
      ended: (exit) => this.#ended(exit),
    });
    const { signal } = this.#live.abort;
    try {
      await this.end.wait(signal, () => void this.#prompt(content));
    } finally {
      leave();
      this.#flush();
      if (this.isProgramGone && !signal.aborted) this.record.cut();
      this.record.close();
    }
    // A program may leave the commands of a stopped turn running.
    if (signal.aborted && this.#open.size > 0) await this.#session.end();
  }

  async #prompt(content: readonly UserContent[]): Promise<void> {
    const answer = await this.#session.prompt(content);
    // `#ended` reports how the program ended.
    if (isGone(answer)) return;
    if (!this.#live.abort.signal.aborted) this.#answered(answer);
    this.end.finish();
  }

  #answered(answer: AcpAnswer): void {
    const failure = answer.ok ? readFailure(answer.value) : null;
    const error = answer.ok ? failure && failureError(failure) : acpError(answer.error);
    if (error || !answer.ok) {
      this.end.error ??= error;
      const limit = readPlanLimit(answer.ok ? (failure?.title ?? '') : answer.error.message);
      if (limit && !this.#session.isMetered) this.#limited(limit.until);
      this.#text = '';
      this.record.void();
      return;
    }
    const reason = readStopReason(answer.value);
    const isEmpty = this.#text === '' && this.record.said.length === 0;
    // Some programs end a turn in this way if the model refused every request.
    if (isEmpty || reason === 'refusal')
      this.end.error ??= textError('model_error', say('workflows.modelGaveNoAnswer'));
  }

  /** The program ended by itself or fell silent. */
  get isProgramGone(): boolean {
    return this.#hasEnded || this.end.isStalled;
  }

  #ended({ code, wasEnded }: HarnessExit): void {
    const { log } = this.#deps;
    this.#hasEnded = !wasEnded;
    const tail = this.#session.stderrTail().slice(-2_000);
    if (!this.#live.abort.signal.aborted) this.end.error ??= programEnded(log, this.#setup.title, code, tail);
    this.end.finish();
  }

  #hear(update: AcpUpdate): void {
    this.end.heard();
    try {
      this.#take(update);
    } catch (error) {
      // The record failed, and no effect may happen without a record.
      this.#deps.log.error('acp_turn_failed', { error: String(error) });
      this.end.endProgram();
    }
  }

  #take(update: AcpUpdate): void {
    switch (update.type) {
      case 'text':
        if (this.#isAfterResult) this.#live.void();
        this.#isAfterResult = false;
        this.#text += update.text;
        this.#live.delta(update.text);
        return;
      case 'thought':
        this.#live.steps.think(update.text);
        return;
      case 'plan':
        this.#live.steps.plan(update.entries);
        return;
      case 'call':
        this.#called(this.#join(update.call));
        return;
      case 'mode': {
        const { title } = this.#setup;
        if (this.#mode !== null && update.modeId !== this.#mode)
          this.end.endProgram(fail('forbidden', 'turns.programDoesNotAsk', { title, mode: update.modeId }));
        return;
      }
      case 'usage':
        if (update.usd !== null) this.#spend(update.usd);
        if (update.used !== null) this.#deps.agent.noteContext?.({ used: update.used, size: update.size });
        return;
      case 'other':
        return;
    }
  }

  /** Gemini first mentions a call that asks in its request, and then only updates it. */
  #join(more: AcpCall): AcpCall {
    const call = joinCall(this.#calls.get(more.id), more);
    this.#calls.set(call.id, call);
    return call;
  }

  #called(call: AcpCall): void {
    const { id, status } = call;
    const isOver = status === 'completed' || status === 'failed';
    if (this.#isOfHost(call, isOver)) return;
    if (status === 'in_progress') this.#show(call);
    if (!isOver) return;
    this.#show(call);
    if (!this.#open.delete(id)) return;
    const wasDenied = this.#gate.calls.refused.has(id);
    const action = toKennelAction(call, this.#setup.cwd);
    // The call ran without a request, and its result may be untrusted content (T9).
    if (!wasDenied && !this.record.isStarted(id)) this.#gate.calls.began(id, action.name, action.args);
    const text = resultText(call);
    this.record.result(
      {
        callId: id,
        content: text === '' ? [] : [{ type: 'text', text }],
        isError: wasDenied || status === 'failed',
        parentId: null,
      },
      wasDenied,
    );
    this.#gotResult();
  }

  #gotResult(): void {
    this.#messages += 1;
    this.#isAfterResult = true;
  }

  /**
   * True for the report of a call that the host itself runs and records. A program that only claims so is not
   * believed: what it did is recorded as its own action.
   */
  #isOfHost(call: AcpCall, isOver: boolean): boolean {
    if (this.#shown.has(call.id)) return false;
    const name = this.#hostCalls.get(call.id) ?? this.tools.nameIn(call);
    if (name === null) return false;
    if (!isOver) this.#hostCalls.set(call.id, name);
    else this.#hostCalls.delete(call.id);
    return !isOver || this.tools.takeReport(name);
  }

  /** Records a call once, when its arguments are known. */
  #show(call: AcpCall): AcpCall {
    if (this.#shown.has(call.id)) return call;
    this.#shown.add(call.id);
    this.#open.add(call.id);
    this.#flush();
    const { name, args } = toKennelAction(call, this.#setup.cwd);
    this.#say([{ type: 'toolCall', id: call.id, name, arguments: args }]);
    return call;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#say([{ type: 'text', text: this.#text }]);
    this.#text = '';
  }

  #say(blocks: Parameters<ProgramRecord['assistant']>[0]['blocks']): void {
    const { model } = this.#setup;
    this.record.assistant({ messageId: `m${this.#messages}`, model, blocks, parentId: null });
  }

  /** Without a relay the program reports what it used, after the fact. */
  #spend(totalUsd: number): void {
    const usd = Math.max(0, totalUsd - this.#session.totalUsd);
    this.#session.totalUsd = totalUsd;
    if (this.#session.isMetered || usd === 0) return;
    const { turn } = this.#live.parts;
    this.#deps.turns.spend.record({
      agentId: turn.agentId,
      threadKey: turn.threadKey,
      turnId: turn.turnId,
      provider: this.#setup.provider,
      model: this.#setup.model || this.#setup.title,
      callId: this.#deps.random.uuid(),
      usage: { ...noUsage, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: usd } },
      simulated: false,
      at: this.#deps.clock.now(),
    });
  }
}

/**
 * The runtime `cli-local`: one process of a program at a time and agent, asleep while idle. A turn that waits
 * for the operator keeps its process, and another thread gets one of its own.
 */
import type { AppError } from '../../../contract/errors.ts';
import { appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import { sleep } from '../../lib/sleep.ts';
import { recover } from '../../loop/recover.ts';
import type { AssistantMessage, TranscriptMessage } from '../../models/messages.ts';
import type { RuntimeEvent, RuntimePort, TurnInput } from '../../supervisor/runtime-port.ts';
import { createEventChannel, readWhile } from '../event-channel.ts';
import type { GatedTools } from '../gated-tools.ts';
import { LiveTurn, turnFailure } from '../live-turn.ts';
import { waitForMoney } from '../spend-wait.ts';
import { isOffered } from './offered-tools.ts';
import { programActions } from './program-actions.ts';
import { ProgramPool } from './program-pool.ts';
import type { ProgramDeps, ProgramProtocol, ProgramSession, ProgramSetup } from './program-ports.ts';
import { ProgramUndo } from './program-undo.ts';
import { newSession, planSession, type SessionPlan, sessionNote } from './session-plan.ts';
import type { TerminalHold } from './terminal-hold.ts';

/** ms of a plan's limit whose end is not known, and of the shortest and the longest one that is believed. */
const unknownLimitMs = 15 * 60_000;
const [shortestLimitMs, longestLimitMs] = [10_000, 8 * 86_400_000];
/** ms before each new process of a turn whose program is gone. */
const restartMs: readonly number[] = [0, 2_000];

interface Runner<Session extends ProgramSession> {
  readonly deps: ProgramDeps;
  readonly protocol: ProgramProtocol<Session>;
  readonly pool: ProgramPool<Session>;
}

export function createProgramRuntime<Session extends ProgramSession>(
  deps: ProgramDeps,
  protocol: ProgramProtocol<Session>,
): RuntimePort {
  const pool = new ProgramPool(deps, protocol);
  const { hold } = deps.agent;
  const endAll = (): Promise<void> => pool.close();
  return {
    async *run(turn, signal) {
      hold?.use(endAll);
      yield* runTurn({ deps, protocol, pool }, turn, signal);
    },
    close() {
      hold?.forget(endAll);
      return endAll();
    },
  };
}

async function* runTurn<Session extends ProgramSession>(
  runner: Runner<Session>,
  turn: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const { deps } = runner;
  const { hold } = deps.agent;
  // Another terminal may take the session while the end of the wait is reported.
  while (hold?.isHeld && !signal.aborted) yield* inTerminal(deps, hold, turn, signal);
  hold?.turnBegan();
  try {
    yield* runHeldTurn(runner, turn, signal);
  } finally {
    hold?.turnEnded();
  }
}

/** A step that says why the turn waits, until the terminal has ended. */
async function* inTerminal(
  { clock }: ProgramDeps,
  hold: TerminalHold,
  { turnId }: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const step = {
    callId: `terminal_${turnId}`,
    tool: 'terminal',
    title: say('steps.inTerminal'),
    detail: '',
    approvalId: null,
    startedAt: clock.now(),
  };
  yield { type: 'step', step: { ...step, state: 'running', endedAt: null } };
  await hold.whenFree(signal);
  yield { type: 'step', step: { ...step, state: 'done', endedAt: clock.now() } };
}

async function* runHeldTurn<Session extends ProgramSession>(
  runner: Runner<Session>,
  turn: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const { deps } = runner;
  const setup = await deps.agent.setup();
  if (!setup.ok) {
    yield turnFailure(setup.error, '', []);
    return;
  }
  const kit = await deps.turns.kit();
  const others = kit.tools.filter(({ name }) => name !== 'shell');
  const tools = [...others, ...[setup.value.shell, ...programActions].filter(setup.value.offers)];
  const channel = createEventChannel<RuntimeEvent>();
  const undo = new ProgramUndo(setup.value.undo, deps.log);
  const live = new LiveTurn(deps.turns, deps.clock, {
    turn,
    kit: { ...kit, tools, gate: undo.around(kit.gate) },
    channel: undo.watching(channel),
    signal,
  });
  undo.showIn(live.steps);
  const program = new ProgramTurn(runner, live, setup.value, undo);
  yield* readWhile(channel, program.run(), () => live.leave());
}

class ProgramTurn<Session extends ProgramSession> {
  readonly #runner: Runner<Session>;
  readonly #deps: ProgramDeps;
  readonly #live: LiveTurn;
  readonly #setup: ProgramSetup;
  readonly #tools: GatedTools;
  readonly #undo: ProgramUndo;
  #said: readonly AssistantMessage[] = [];
  #error: AppError | null = null;
  /** Why the budget refused a request of the running attempt. */
  #refused: AppError | null = null;
  /** The model's account accepts no request for long. */
  #isPaused = false;
  #session: Session | null = null;
  /** The end of a session whose provider pauses. */
  #ending: Promise<void> | null = null;
  #questions = 0;
  /** Whether the last attempt lost its program, and how often that has happened in this turn. */
  #isProgramGone = false;
  #restarts = 0;

  constructor(runner: Runner<Session>, live: LiveTurn, setup: ProgramSetup, undo: ProgramUndo) {
    this.#undo = undo;
    this.#runner = runner;
    this.#deps = runner.deps;
    this.#live = live;
    this.#setup = setup;
    this.#tools = live.gated(new Set());
  }

  async run(): Promise<void> {
    const live = this.#live;
    await live.whileOpen(async () => {
      const isUnfinished = this.#recover();
      if (!live.abort.signal.aborted && isUnfinished) {
        await this.#untilPaid().finally(() => this.#undo.settled());
      }
      if (this.#error === null) await live.askToSend(this.#said, this.#tools);
    });
    const said = this.#error === null ? this.#said : [];
    live.tellEnd(said, () => this.#error ?? appError('model_error', say('workflows.modelGaveNoAnswer')));
  }

  /** Calls that a crash cut off get a result, so that the transcript is whole. True if the turn has no answer. */
  #recover(): boolean {
    const live = this.#live;
    const { threadKey } = live.parts.turn;
    const { clock, turns } = this.#deps;
    const open = turns.transcripts.openCalls(threadKey);
    const found = recover(live.messages, open, clock.now());
    const known = new Set(open.map(({ callId }) => callId));
    for (const message of found.added) {
      if (message.role !== 'toolResult') live.journal.messageAdded(message);
      else if (known.has(message.toolCallId)) live.journal.callEnded(message.toolCallId, message);
      if (message.role === 'toolResult') live.steps.end(message.toolCallId, 'unknown', message.content);
    }
    for (const call of found.rerun) live.journal.messageAdded(notRun(call, clock.now()));
    const from = live.messages.findLastIndex(({ role }) => role === 'user');
    this.#said = live.messages.slice(from + 1).filter((message) => message.role === 'assistant');
    return found.unfinished;
  }

  /**
   * A turn whose budget is used up in the middle goes on where it was once the operator allows more, and one
   * whose provider pauses goes on after the pause.
   */
  async #untilPaid(): Promise<void> {
    for (;;) {
      await this.#askForMoney();
      const ready = await this.#mayStart();
      if (!ready.ok) {
        this.#error = ready.error;
        return;
      }
      this.#refused = null;
      await this.#parked();
      if (this.#live.abort.signal.aborted) return;
      await this.#work();
      if (this.#isPaused && !this.#live.abort.signal.aborted) {
        this.#error = null;
        continue;
      }
      if (await this.#mayRestart()) continue;
      // Also without an error: a program may report the refusal as its answer.
      if (this.#refused === null || (this.#error === null && this.#said.length > 0)) return;
      this.#error = this.#refused;
      if (this.#live.abort.signal.aborted || !(await this.#askForMoney())) return;
      this.#error = null;
    }
  }

  /** True if the program is gone and the turn may go on in a new process (F2). */
  async #mayRestart(): Promise<boolean> {
    const { abort } = this.#live;
    const inMs = restartMs[this.#restarts];
    const error = this.#error;
    if (!this.#isProgramGone || error === null || inMs === undefined || abort.signal.aborted) return false;
    this.#restarts += 1;
    this.#live.void();
    this.#live.waiting({ attempt: this.#restarts, inMs, error });
    this.#error = null;
    await sleep(this.#deps.clock, inMs, abort.signal);
    return true;
  }

  /** Waits without a process until the account accepts requests again. */
  async #parked(): Promise<void> {
    this.#isPaused = false;
    const { provider, pausedUntil } = this.#setup;
    await this.#live.park(provider, pausedUntil);
  }

  /** `untilMs` since the epoch. */
  #limited(untilMs: number | null): void {
    const now = this.#deps.clock.now();
    // A program whose clock is wrong must not be started again and again.
    const until = Math.max(untilMs ?? now + unknownLimitMs, now + shortestLimitMs);
    this.#setup.pauseLogin(Math.min(until, now + longestLimitMs));
    this.#pause();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#ending = this.#session?.end() ?? null;
  }

  /** True if the operator allowed more. */
  async #askForMoney(): Promise<boolean> {
    const { turn } = this.#live.parts;
    const { clock, steps, abort, ended } = this.#live;
    const paying = { agentId: turn.agentId, turnId: turn.turnId, ended: ended.signal };
    const question = this.#deps.turns.spend.question(paying, this.#setup);
    if (!question) return false;
    this.#questions += 1;
    const waiting = { place: turn.place, clock, steps, back: () => undefined };
    return waitForMoney(waiting, question, this.#questions, abort.signal);
  }

  /** Budget, and the operator's trust in a program that no wall holds. */
  async #mayStart(): Promise<Result<void>> {
    const admitted = this.#deps.turns.spend.admit(this.#live.parts.turn.agentId, this.#setup);
    return admitted.ok ? this.#trusted() : admitted;
  }

  async #trusted(): Promise<Result<void>> {
    const setup = this.#setup;
    if (setup.sandbox !== 'none' || this.#deps.agent.isTrusted(setup)) return ok(undefined);
    const { turn } = this.#live.parts;
    const callId = `trust_${turn.turnId}`;
    const argv = [setup.program, ...setup.command.slice(1)];
    const title = say('actions.runProgram', { title: this.#setup.title });
    this.#live.steps.begin(callId, 'start_program', {});
    const decision = await this.#tools.ask(
      {
        callId,
        tool: 'start_program',
        args: { argv, version: setup.version },
        group: 'shell',
        assessment: {
          risk: 'high',
          effects: [{ kind: 'run', argv, cwd: setup.cwd, sandbox: 'none' }],
          preview: {
            kind: 'text',
            title,
            body: [...argv.map(shownWord), setup.version].join(' ').trim(),
            where: say('approvals.noSandbox', { folder: setup.cwd }),
          },
        },
        justification: '',
        tainted: this.#live.tainted,
        resumed: true,
      },
      this.#live.abort.signal,
    );
    this.#live.steps.end(callId, decision.type === 'allow' ? 'done' : 'denied', []);
    if (decision.type === 'allow') return this.#deps.agent.trust(setup);
    return err(fail('forbidden', 'turns.programNotTrusted', { title: this.#setup.title }));
  }

  async #work(): Promise<void> {
    const { turn } = this.#live.parts;
    const { transcripts } = this.#deps.turns;
    const { protocol } = this.#runner;
    const entries = transcripts.load(turn.threadKey);
    const plan = planSession(protocol.id, entries, turn.firstSeq);
    const first = await this.#attempt(plan);
    // The program does not know its session any more, e.g. because its folder was removed.
    if (first === 'lost') await this.#attempt(newSession(entries, turn.firstSeq));
  }

  async #attempt(plan: SessionPlan): Promise<'done' | 'lost'> {
    const { turn, kit } = this.#live.parts;
    const { clock, random, turns } = this.#deps;
    const { pool, protocol } = this.#runner;
    const { sessionId } = plan;
    const isLent = sessionId !== null && this.#deps.agent.wasLent?.(sessionId) === true;
    if (isLent) {
      // Kennel does not know what the session read in the terminal (T9).
      this.#live.taint();
      this.#live.reads.note(['unknown']);
    }
    const names = kit.tools.filter(isOffered).map(({ name }) => name);
    const opened = await pool.open({
      turn: {
        threadKey: turn.threadKey,
        turnId: turn.turnId,
        onRefused: (error) => {
          this.#refused = error;
        },
        onPaused: () => this.#pause(),
      },
      sessionId: sessionId ?? random.uuid(),
      isNew: sessionId === null,
      setup: this.#setup,
      key: JSON.stringify([this.#setup.key, turn.system, names]),
    });
    if (!opened.ok) {
      this.#error = opened.error;
      this.#isProgramGone = false;
      return 'done';
    }
    const { session, isFresh } = opened.value;
    this.#session = session;
    const over = new AbortController();
    const run = protocol.run(this.#deps, {
      live: this.#live,
      tools: this.#live.gated(new Set(), over.signal),
      setup: this.#setup,
      session,
      isFresh,
      plan,
      limited: (untilMs) => this.#limited(untilMs),
      given: (id) => {
        turns.transcripts.append(turn.threadKey, [sessionNote(protocol.id, id, clock.now())]);
        this.#deps.agent.noteSession?.(id, isLent);
      },
    });
    const end = await run.catch(async (error: unknown) => {
      // The turn fails with its record, and its program must not run on.
      await session.end();
      throw error;
    });
    this.#session = null;
    // The next attempt asks anew; a turn that is left keeps its questions.
    if (!this.#live.abort.signal.aborted) over.abort();
    await this.#ending;
    pool.release(turn.threadKey, session);
    this.#said = end.said;
    this.#error = end.error;
    this.#isProgramGone = end.isProgramGone;
    const isLost = isFresh && sessionId !== null && end.isSessionUnknown;
    if (isLost) await session.end();
    return isLost ? 'lost' : 'done';
  }
}

const shownWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

const notRun = (
  { id, name }: { readonly id: string; readonly name: string },
  timestamp: number,
): TranscriptMessage => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: name,
  content: [{ type: 'text', text: 'It was not run: Kennel stopped before.' }],
  isError: true,
  timestamp,
});

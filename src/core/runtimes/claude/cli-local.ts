/**
 * The `cli-local` runtime with Claude Code: one process at a time and agent, asleep while idle. A turn that
 * waits for the operator keeps its process, and another thread gets one of its own.
 */
import type { AppError } from '../../../contract/errors.ts';
import { appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import { recover } from '../../loop/recover.ts';
import type { AssistantMessage, TranscriptMessage } from '../../models/messages.ts';
import type { RuntimeEvent, RuntimePort, TurnInput } from '../../supervisor/runtime-port.ts';
import { createEventChannel } from '../event-channel.ts';
import type { GatedTools } from '../gated-tools.ts';
import { failure, LiveTurn } from '../live-turn.ts';
import { waitForMoney } from '../spend-wait.ts';
import { claudeActions } from './claude-actions.ts';
import { hostServer } from './claude-calls.ts';
import { isOffered } from './claude-host-tools.ts';
import { ClaudePool } from './claude-pool.ts';
import type { ClaudeDeps, ClaudeSetup } from './claude-ports.ts';
import { newSession, planSession, type SessionPlan, sessionNote } from './claude-prompt.ts';
import { ClaudeTurn } from './claude-turn.ts';

export function createClaudeRuntime(deps: ClaudeDeps): RuntimePort {
  const pool = new ClaudePool(deps);
  return {
    run: (turn, signal) => runTurn(deps, pool, turn, signal),
    close: () => pool.close(),
  };
}

async function* runTurn(
  deps: ClaudeDeps,
  pool: ClaudePool,
  turn: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const setup = await deps.agent.setup();
  if (!setup.ok) {
    yield failure(setup.error, '', []);
    return;
  }
  const kit = await deps.turns.kit();
  const others = kit.tools.filter(({ name }) => name !== 'shell');
  const tools = [...others, setup.value.shell, ...claudeActions];
  const channel = createEventChannel<RuntimeEvent>();
  const live = new LiveTurn(deps.turns, deps.clock, { turn, kit: { ...kit, tools }, channel, signal });
  new ProgramTurn(deps, pool, live, setup.value).run().then(
    () => channel.close(),
    (error: unknown) => channel.close(error),
  );
  try {
    yield* channel.read();
  } finally {
    live.leave();
  }
}

class ProgramTurn {
  readonly #deps: ClaudeDeps;
  readonly #pool: ClaudePool;
  readonly #live: LiveTurn;
  readonly #setup: ClaudeSetup;
  readonly #tools: GatedTools;
  #said: readonly AssistantMessage[] = [];
  #error: AppError | null = null;

  constructor(deps: ClaudeDeps, pool: ClaudePool, live: LiveTurn, setup: ClaudeSetup) {
    this.#deps = deps;
    this.#pool = pool;
    this.#live = live;
    this.#setup = setup;
    this.#tools = live.gated(new Set());
  }

  async run(): Promise<void> {
    const live = this.#live;
    await live.whileOpen(async () => {
      const isUnfinished = this.#recover();
      if (!live.abort.signal.aborted && isUnfinished) {
        const ready = await this.#mayStart();
        if (ready.ok) await this.#work();
        else this.#error = ready.error;
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

  /** Budget, and the operator's trust in a program that no wall holds. */
  async #mayStart(): Promise<Result<void>> {
    const { turn } = this.#live.parts;
    const { spend } = this.#deps.turns;
    const { provider, model } = this.#setup;
    const target = { provider, model };
    const { signal } = this.#live.abort;
    const paying = { agentId: turn.agentId, turnId: turn.turnId, ended: this.#live.ended.signal };
    const question = spend.question(paying, target);
    if (question) {
      const { clock, steps } = this.#live;
      await waitForMoney({ place: turn.place, clock, steps, back: () => undefined }, question, 1, signal);
    }
    const admitted = spend.admit(turn.agentId, target);
    return admitted.ok ? this.#trusted() : admitted;
  }

  async #trusted(): Promise<Result<void>> {
    const setup = this.#setup;
    if (setup.sandbox !== 'none' || this.#deps.agent.isTrusted(setup)) return ok(undefined);
    const { turn } = this.#live.parts;
    const callId = `trust_${turn.turnId}`;
    const title = say('actions.runProgram', { title: 'Claude Code' });
    this.#live.steps.begin(callId, 'start_program', {});
    const decision = await this.#tools.ask(
      {
        callId,
        tool: 'start_program',
        args: { program: setup.program, version: setup.version },
        group: 'shell',
        assessment: {
          risk: 'high',
          effects: [{ kind: 'run', argv: [setup.program], cwd: setup.cwd, sandbox: 'none' }],
          preview: {
            kind: 'text',
            title,
            body: `${setup.program} ${setup.version}`,
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
    return err(fail('forbidden', 'turns.programNotTrusted', { title: 'Claude Code' }));
  }

  async #work(): Promise<void> {
    const { turn } = this.#live.parts;
    const { transcripts } = this.#deps.turns;
    const entries = transcripts.load(turn.threadKey);
    const plan = planSession(entries, turn.firstSeq);
    const first = await this.#attempt(plan);
    // The program does not know its session any more, e.g. because its folder was removed.
    if (first === 'lost' && plan.sessionId !== null) await this.#attempt(newSession(entries, turn.firstSeq));
  }

  async #attempt({ sessionId, content }: SessionPlan): Promise<'done' | 'lost'> {
    const { turn, kit } = this.#live.parts;
    const { clock, random, turns } = this.#deps;
    const names = kit.tools.filter(isOffered).map(({ name }) => name);
    const opened = await this.#pool.open({
      threadKey: turn.threadKey,
      turnId: turn.turnId,
      sessionId: sessionId ?? random.uuid(),
      isNew: sessionId === null,
      setup: this.#setup,
      key: JSON.stringify([this.#setup.key, turn.system, names]),
    });
    if (!opened.ok) {
      this.#error = opened.error;
      return 'done';
    }
    const { session, isFresh } = opened.value;
    const program = new ClaudeTurn(this.#deps, this.#live, this.#tools, { session, setup: this.#setup });
    await program.run(() => {
      if (isFresh) session.initialize([hostServer], turn.system);
      // Recorded first: a message that was given twice is better than one that was lost.
      turns.transcripts.append(turn.threadKey, [sessionNote(session.facts.sessionId, clock.now())]);
      program.send(content);
    });
    this.#pool.release(turn.threadKey, session);
    this.#said = program.record.said;
    this.#error = program.error;
    const isLost = isFresh && sessionId !== null && program.isSessionUnknown;
    if (isLost) await session.end();
    return isLost ? 'lost' : 'done';
  }
}

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

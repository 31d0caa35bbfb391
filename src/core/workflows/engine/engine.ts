/**
 * Durable workflow runs: a finished step stays finished, a started one is resolved by its effect class, and
 * nothing that needs approval happens without it. Several programs may share one journal; each run has one
 * owner at a time.
 */
import { messageOf, textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { RunPlaces } from '../../../contract/workflow-methods.ts';
import { say } from '../../../language/say.ts';
import { writeStable } from '../../lib/stable-json.ts';
import { despiteStore } from '../../lib/store-error.ts';
import type { StepResult } from '../file/definition.ts';
import { type DecidedGate, type Decision, decideGate } from './answer-gate.ts';
import { type DriveOptions, driveRun, finish, type Standing } from './drive.ts';
import type { EnginePorts, NewRun, RunRow } from './engine-ports.ts';
import { type Envelope, envelopeOf, errorEnvelope } from './envelope.ts';
import type { Person, RunEvent, RunStatus } from './events.ts';
import { type ForkRequest, forkRun, noRun } from './fork.ts';
import { forkPlaces } from './fork-preview.ts';
import { newToken } from './gates.ts';
import { unkeep } from './kept-result.ts';
import { newRun, type StartRequest } from './new-run.ts';
import { type Broadcast, createBroadcast, type RunContext } from './run-context.ts';
import { createRunLog, RunDamaged, RunLost } from './run-log.ts';
import { foldRun, isFinished, openGatesOf, type RunState } from './run-state.ts';

export interface Engine {
  /** Records the run without driving it. */
  start(request: StartRequest): Result<RunRow>;
  /**
   * Like `start`, for a caller that drives the run next and does not publish its id before: the run is
   * written with its first event. A run with an idempotency key is written at once.
   */
  begin(request: StartRequest): Result<RunRow>;
  /** `conflict` if another live program owns the run. */
  drive(run: string, options?: DriveOptions): Promise<Result<Standing>>;
  decide(decision: Decision): Result<DecidedGate>;
  cancel(run: string, by: Person): Promise<Result<Standing>>;
  /** Clears the failures of a failed run; drive it afterwards. */
  retry(run: string, by: Person): Result<void>;
  /** Starts a new run from one that has ended; drive it afterwards. */
  fork(request: ForkRequest): Result<RunRow>;
  /**
   * Steps from which the run can be forked, and what each fork repeats. `from`: `null` for all steps that the
   * run reached.
   */
  places(run: string, from: string | null): Result<RunPlaces>;
  /** Runs to drive now: interrupted, decided, or due. */
  due(): readonly string[];
  /** Drives the run and returns the envelope of tool mode, with a valid token. */
  answer(run: string, options?: DriveOptions): Promise<Envelope>;
  /** `decide`, then `answer`. */
  resume(decision: Decision, options?: DriveOptions): Promise<Envelope>;
  show(run: string): RunState | null;
  /** Signals that another program wrote to a run that may be driven here. */
  wake(run: string): void;
}

interface Driving {
  readonly control: AbortController;
  readonly context: RunContext;
  readonly done: Promise<Result<Standing>>;
}

/** The driver of the run reads the rows itself. */
const noRows = Number.MAX_SAFE_INTEGER;

const noOutput = fail('corrupt', 'workflows.outputDamaged');

function startRun(ports: EnginePorts, request: StartRequest): Result<RunRow> {
  const made = newRun(ports, request);
  if (!made.ok) return made;
  const { row, args } = made.value;
  const created = ports.journal.create(made.value);
  if (created.id === row.id) return ok(created);
  const before = foldRun(created.id, ports.journal.events(created.id, 0));
  const same = created.definition === row.definition && writeStable(before.args) === writeStable(args);
  if (same) return ok(created);
  const message = say('workflows.idempotencyKeyTaken');
  return err(textError('conflict', message));
}

function beginRun(
  { ports, begun }: Pick<EngineState, 'ports' | 'begun'>,
  request: StartRequest,
): Result<RunRow> {
  if (request.idempotencyKey !== undefined) return startRun(ports, request);
  const made = newRun(ports, request);
  if (!made.ok) return made;
  begun.set(made.value.row.id, made.value);
  return ok(made.value.row);
}

function resultOf({ journal, sha256 }: EnginePorts, state: RunState): StepResult | null {
  return state.output && unkeep(sha256, state.output, (hash) => journal.blob(hash));
}

/** State that one program holds in memory. */
interface EngineState {
  readonly ports: EnginePorts;
  readonly driving: Map<string, Driving>;
  /** Runs that are neither in the journal nor driven yet. */
  readonly begun: Map<string, NewRun>;
  /** Tokens of open gates, by gate; the journal keeps only their hashes. */
  readonly tokens: Map<string, string>;
}

const foldOf = ({ ports }: EngineState, run: string): RunState => foldRun(run, ports.journal.events(run, 0));

/** Wakes the driver of the run in this program. */
function poke({ driving }: EngineState, run: string): void {
  const driven = driving.get(run);
  if (!driven) return;
  driven.context.log.refresh();
  // Another program may have received the cancellation.
  if (driven.context.log.state.cancelRequested) driven.control.abort({ why: 'cancel' });
  driven.context.broadcast.notify();
}

async function driveOwned(
  { ports, driving }: EngineState,
  context: RunContext,
  control: AbortController,
  { signal, ...options }: DriveOptions,
): Promise<Result<Standing>> {
  const run = context.log.state.id;
  const stop = (): void => control.abort({ why: 'stop' });
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const standing = await driveRun(context, control, options);
    giveBack(ports, run);
    return ok(standing);
  } catch (error) {
    if (error instanceof RunLost) return err(textError('conflict', messageOf(error.error)));
    // Release the run, so that the next program need not wait for the end of this one.
    despiteStore(() => giveBack(ports, run), undefined);
    throw error;
  } finally {
    context.log.close();
    signal?.removeEventListener('abort', stop);
    driving.delete(run);
  }
}

function giveBack({ journal, owners }: EnginePorts, run: string): void {
  if (journal.run(run)?.owner === owners.self) journal.claim(run, owners.self, null);
}

/** Claims the run; true if this program owns it now. */
function claimed({ journal, owners }: EnginePorts, { id, owner }: RunRow): boolean {
  if (owner === owners.self) return true;
  return (owner === null || !owners.alive(owner)) && journal.claim(id, owner, owners.self);
}

async function drive(
  engineState: EngineState,
  run: string,
  options: DriveOptions = {},
): Promise<Result<Standing>> {
  const { journal } = engineState.ports;
  const active = engineState.driving.get(run);
  if (active) {
    const standing = await active.done;
    // The answer arrived just as the drive released the run: drive it again.
    const missed = journal.run(run)?.status === 'running' && !engineState.driving.has(run);
    const waiting = standing.ok && standing.value.status === 'waiting';
    return missed && waiting ? drive(engineState, run, options) : standing;
  }
  const begun = engineState.begun.get(run) ?? null;
  engineState.begun.delete(run);
  const row = begun?.row ?? journal.run(run);
  if (!row) return err(noRun(run));
  if (isFinished(row.status))
    return ok({ state: foldOf(engineState, run), status: row.status, wakeAt: null });
  if (!claimed(engineState.ports, row)) return err(fail('conflict', 'workflows.runTaken'));
  const context = contextOf(engineState, run, begun, options.leaving ?? null);
  if ('status' in context) return ok(context);
  const control = new AbortController();
  const done = Promise.resolve().then(() => driveOwned(engineState, context, control, options));
  engineState.driving.set(run, { control, context, done });
  return done;
}

function decide(engineState: EngineState, decision: Decision): Result<DecidedGate> {
  const decided = decideGate(engineState.ports, (run) => foldOf(engineState, run), decision);
  if (!decided.ok) return decided;
  const { gate, token, run } = decided.value;
  engineState.tokens.delete(gate);
  if (token !== null) engineState.tokens.set(gate, token);
  poke(engineState, run);
  return decided;
}

async function cancel(engineState: EngineState, run: string, by: Person): Promise<Result<Standing>> {
  writeBegun(engineState, run);
  const row = engineState.ports.journal.run(run);
  if (!row) return err(noRun(run));
  if (isFinished(row.status)) return err(fail('conflict', 'workflows.runEnded'));
  const asked = tellRun(engineState, run, { type: 'cancel_requested', by }, ['running', 'waiting']);
  if (!asked.ok) return asked;
  engineState.driving.get(run)?.control.abort({ why: 'cancel' });
  poke(engineState, run);
  return drive(engineState, run);
}

/** Writes a held-back run to the journal, because a caller now refers to it. */
function writeBegun({ ports, begun, driving }: EngineState, run: string): void {
  const waiting = begun.get(run);
  if (waiting) ports.journal.create(waiting);
  else if (!ports.journal.run(run)) driving.get(run)?.context.log.write([]);
  begun.delete(run);
}

/** Records a request about a run, whichever program drives it. */
function tellRun(
  { ports }: EngineState,
  run: string,
  event: RunEvent,
  standing: readonly RunStatus[],
): Result<void> {
  const at = ports.clock.now();
  const events = [event];
  const now = { status: 'running', wakeAt: at } as const;
  const done = ports.journal.append({ run, at, afterSeq: noRows, standing, events, ...now });
  return done.ok ? ok(undefined) : done;
}

function retry(engineState: EngineState, run: string, by: Person): Result<void> {
  const row = engineState.ports.journal.run(run);
  if (!row) return err(noRun(run));
  if (row.status !== 'failed') return err(fail('conflict', 'workflows.retryFailedOnly'));
  return tellRun(engineState, run, { type: 'failures_cleared', path: null, by }, ['failed']);
}

function due({ ports, driving }: EngineState): readonly string[] {
  const { journal, owners, clock } = ports;
  const free = (owner: string | null): boolean =>
    owner === null || owner === owners.self || !owners.alive(owner);
  return journal
    .due(clock.now())
    .filter(({ id, owner }) => !driving.has(id) && free(owner))
    .map(({ id }) => id);
}

export function createEngine(ports: EnginePorts): Engine {
  const engineState: EngineState = { ports, driving: new Map(), begun: new Map(), tokens: new Map() };
  const answer = async (run: string, options?: DriveOptions): Promise<Envelope> => {
    const driven = await drive(engineState, run, options);
    return driven.ok ? tell(engineState, driven.value) : errorEnvelope(driven.error);
  };
  return {
    start: (request) => startRun(ports, request),
    begin: (request) => beginRun(engineState, request),
    drive: (run, options) => drive(engineState, run, options),
    decide: (decision) => decide(engineState, decision),
    cancel: (run, by) => cancel(engineState, run, by),
    retry: (run, by) => retry(engineState, run, by),
    fork: (request) => forkRun(ports, request),
    places: (run, from) => forkPlaces(ports, run, from),
    due: () => due(engineState),
    answer,
    async resume(decision, options) {
      const decided = decide(engineState, decision);
      return decided.ok ? answer(decided.value.run, options) : errorEnvelope(decided.error);
    },
    wake: (run) => poke(engineState, run),
    show: (run) => (ports.journal.run(run) ? foldOf(engineState, run) : null),
  };
}

/** Returns the context, or the final state of a run whose definition is gone. */
function contextOf(
  { ports, tokens }: EngineState,
  run: string,
  begun: NewRun | null,
  leaving: AbortSignal | null,
): RunContext | Standing {
  const broadcast: Broadcast = createBroadcast();
  const log = createRunLog(ports, run, begun);
  try {
    return { ports, log, broadcast, root: log.definition(log.state.definition), tokens, leaving };
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    return finish({ ports, log, tokens }, 'failed', error.said, null);
  }
}

/**
 * Returns the envelope with a valid token for the open question; issues a new one if another program holds
 * the old one.
 */
function tell({ ports, tokens }: EngineState, { state, status, wakeAt }: Standing): Envelope {
  const { id: run, message, initiatedBy } = state;
  const result = resultOf(ports, state);
  if (state.output && !result) return errorEnvelope(noOutput);
  const view = { run, status, message, result, initiatedBy, wakeAt };
  const open = isFinished(status) ? undefined : openGatesOf(state)[0];
  if (!open) return envelopeOf({ ...view, gate: null });
  const token = tokens.get(open.id) ?? issue(ports, tokens, run, open.id);
  const shortId = ports.journal.gate(open.id)?.shortId ?? '';
  return envelopeOf({ ...view, gate: { content: open.content, token, shortId } });
}

function issue(ports: EnginePorts, tokens: Map<string, string>, run: string, gate: string): string {
  const { token, hash } = newToken({ ports });
  const written = ports.journal.append({
    run,
    at: ports.clock.now(),
    afterSeq: noRows,
    events: [{ type: 'gate_token', gate }],
    gates: [{ type: 'token', gate, tokenHash: hash }],
  });
  if (!written.ok) return '';
  tokens.set(gate, token);
  return token;
}

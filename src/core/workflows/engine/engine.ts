/**
 * Runs of workflows that survive everything: what has ended stays ended, what was begun is judged by its class, nothing
 * that needs a person happens without one. Several programs may share one journal; each run has one owner at a time.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { RunPlaces } from '../../../contract/workflow-methods.ts';
import { writeStable } from '../../lib/stable-json.ts';
import { despiteStore } from '../../lib/store-error.ts';
import type { StepResult } from '../file/definition.ts';
import { type Decided, type Decision, decideGate } from './decide.ts';
import { type DriveOptions, driveRun, finish, type Standing } from './drive.ts';
import type { EnginePorts, NewRun, RunRow } from './engine-ports.ts';
import { type Envelope, envelopeOf, errorEnvelope } from './envelope.ts';
import type { Person, RunEvent, RunStatus } from './events.ts';
import { foldRun, isFinished, openGatesOf, type RunState } from './fold.ts';
import { type ForkRequest, forkRun } from './fork.ts';
import { forkPlaces } from './fork-places.ts';
import { newToken } from './gates.ts';
import { unkeep } from './kept-result.ts';
import { newRun, type StartRequest } from './new-run.ts';
import { createRunLog, RunDamaged, RunLost } from './run-log.ts';
import { type Bell, createBell, type RunContext } from './walked.ts';

export interface Engine {
  /** Writes the run down; nothing has happened yet. */
  start(request: StartRequest): Result<RunRow>;
  /**
   * `start` for whoever drives the run next and tells nobody of it before: it is written down with the first thing that happens
   * in it. A run with a key of its own is written down at once.
   */
  begin(request: StartRequest): Result<RunRow>;
  /** `conflict` while another program that lives has it. */
  drive(run: string, options?: DriveOptions): Promise<Result<Standing>>;
  decide(decision: Decision): Result<Decided>;
  cancel(run: string, by: Person): Promise<Result<Standing>>;
  /** A failed run goes on from what failed; drive it then. */
  retry(run: string, by: Person): Result<void>;
  /** A run that has ended, once more as another run; drive it then. */
  fork(request: ForkRequest): Result<RunRow>;
  /** From where that can be, and what it means there; `from` null: all places that the run came to. */
  places(run: string, from: string | null): Result<RunPlaces>;
  /** Runs that somebody must drive now: interrupted, decided, or due. */
  due(): readonly string[];
  /** `drive`, told as tool mode tells it, with a token that is good. */
  answer(run: string, options?: DriveOptions): Promise<Envelope>;
  /** `decide`, then `answer`. */
  resume(decision: Decision, options?: DriveOptions): Promise<Envelope>;
  show(run: string): RunState | null;
  /** Another program wrote something about a run that may be driven here. */
  wake(run: string): void;
}

interface Driving {
  readonly control: AbortController;
  readonly context: RunContext;
  readonly done: Promise<Result<Standing>>;
}

/** What was written is read by whoever drives the run. */
const noRows = Number.MAX_SAFE_INTEGER;

const noOutput = appError('corrupt', 'The output of this run is gone or damaged.');
const noRun = (run: string): AppError => appError('not_found', `There is no run '${run}'.`);

function startRun(ports: EnginePorts, request: StartRequest): Result<RunRow> {
  const made = newRun(ports, request);
  if (!made.ok) return made;
  const { row, args } = made.value;
  const created = ports.journal.create(made.value);
  if (created.id === row.id) return ok(created);
  const before = foldRun(created.id, ports.journal.events(created.id, 0));
  const same = created.definition === row.definition && writeStable(before.args) === writeStable(args);
  if (same) return ok(created);
  const message = 'This idempotency key belongs to another run, of another workflow or with other arguments.';
  return err(appError('conflict', message));
}

function beginRun({ ports, begun }: Pick<Hands, 'ports' | 'begun'>, request: StartRequest): Result<RunRow> {
  if (request.idempotencyKey !== undefined) return startRun(ports, request);
  const made = newRun(ports, request);
  if (!made.ok) return made;
  begun.set(made.value.row.id, made.value);
  return ok(made.value.row);
}

/** The result of a run that is over. */
function resultOf({ journal, sha256 }: EnginePorts, state: RunState): StepResult | null {
  return state.output && unkeep(sha256, state.output, (hash) => journal.blob(hash));
}

/** What this program holds in its hands. */
interface Hands {
  readonly ports: EnginePorts;
  readonly driving: Map<string, Driving>;
  /** Not in the journal yet, nor driven. */
  readonly begun: Map<string, NewRun>;
  /** Of open gates, by gate: nowhere else is a token known. */
  readonly tokens: Map<string, string>;
}

const foldOf = ({ ports }: Hands, run: string): RunState => foldRun(run, ports.journal.events(run, 0));

/** Tells whoever drives the run here that something happened to it. */
function poke({ driving }: Hands, run: string): void {
  const driven = driving.get(run);
  if (!driven) return;
  driven.context.log.refresh();
  // Another program may have been told to cancel it.
  if (driven.context.log.state.cancelRequested) driven.control.abort({ why: 'cancel' });
  driven.context.bell.ring();
}

async function driveOwned(
  { ports, driving }: Hands,
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
    if (error instanceof RunLost) return err(appError('conflict', error.message));
    // Whoever comes next need not wait for the end of this program.
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

/** Whether it is ours now. */
function claimed({ journal, owners }: EnginePorts, { id, owner }: RunRow): boolean {
  if (owner === owners.self) return true;
  return (owner === null || !owners.alive(owner)) && journal.claim(id, owner, owners.self);
}

async function drive(hands: Hands, run: string, options: DriveOptions = {}): Promise<Result<Standing>> {
  const { journal } = hands.ports;
  const active = hands.driving.get(run);
  if (active) {
    const standing = await active.done;
    // Answered in the moment in which it was laid down: it goes on.
    const missed = journal.run(run)?.status === 'running' && !hands.driving.has(run);
    const waiting = standing.ok && standing.value.status === 'waiting';
    return missed && waiting ? drive(hands, run, options) : standing;
  }
  const begun = hands.begun.get(run) ?? null;
  hands.begun.delete(run);
  const row = begun?.row ?? journal.run(run);
  if (!row) return err(noRun(run));
  if (isFinished(row.status)) return ok({ state: foldOf(hands, run), status: row.status, wakeAt: null });
  if (!claimed(hands.ports, row)) return err(appError('conflict', 'Another program works on this run.'));
  const context = contextOf(hands, run, begun, options.leaving ?? null);
  if ('status' in context) return ok(context);
  const control = new AbortController();
  const done = Promise.resolve().then(() => driveOwned(hands, context, control, options));
  hands.driving.set(run, { control, context, done });
  return done;
}

function decide(hands: Hands, decision: Decision): Result<Decided> {
  const decided = decideGate(hands.ports, (run) => foldOf(hands, run), decision);
  if (!decided.ok) return decided;
  const { gate, token, run } = decided.value;
  hands.tokens.delete(gate);
  if (token !== null) hands.tokens.set(gate, token);
  poke(hands, run);
  return decided;
}

async function cancel(hands: Hands, run: string, by: Person): Promise<Result<Standing>> {
  writeBegun(hands, run);
  const row = hands.ports.journal.run(run);
  if (!row) return err(noRun(run));
  if (isFinished(row.status)) return err(appError('conflict', 'This run has ended.'));
  const asked = tellRun(hands, run, { type: 'cancel_requested', by }, ['running', 'waiting']);
  if (!asked.ok) return asked;
  hands.driving.get(run)?.control.abort({ why: 'cancel' });
  poke(hands, run);
  return drive(hands, run);
}

/** A run of which somebody speaks is in the journal. */
function writeBegun({ ports, begun, driving }: Hands, run: string): void {
  const waiting = begun.get(run);
  if (waiting) ports.journal.create(waiting);
  else if (!ports.journal.run(run)) driving.get(run)?.context.log.write([]);
  begun.delete(run);
}

/** Writes down what a person wants of a run, whoever drives it. */
function tellRun(
  { ports }: Hands,
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

function retry(hands: Hands, run: string, by: Person): Result<void> {
  const row = hands.ports.journal.run(run);
  if (!row) return err(noRun(run));
  if (row.status !== 'failed') return err(appError('conflict', 'Only a run that failed can be retried.'));
  return tellRun(hands, run, { type: 'failures_cleared', path: null, by }, ['failed']);
}

function due({ ports, driving }: Hands): readonly string[] {
  const { journal, owners, clock } = ports;
  const free = (owner: string | null): boolean =>
    owner === null || owner === owners.self || !owners.alive(owner);
  return journal
    .due(clock.now())
    .filter(({ id, owner }) => !driving.has(id) && free(owner))
    .map(({ id }) => id);
}

export function createEngine(ports: EnginePorts): Engine {
  const hands: Hands = { ports, driving: new Map(), begun: new Map(), tokens: new Map() };
  const answer = async (run: string, options?: DriveOptions): Promise<Envelope> => {
    const driven = await drive(hands, run, options);
    return driven.ok ? tell(hands, driven.value) : errorEnvelope(driven.error);
  };
  return {
    start: (request) => startRun(ports, request),
    begin: (request) => beginRun(hands, request),
    drive: (run, options) => drive(hands, run, options),
    decide: (decision) => decide(hands, decision),
    cancel: (run, by) => cancel(hands, run, by),
    retry: (run, by) => retry(hands, run, by),
    fork: (request) => forkRun(ports, request),
    places: (run, from) => forkPlaces(ports, run, from),
    due: () => due(hands),
    answer,
    async resume(decision, options) {
      const decided = decide(hands, decision);
      return decided.ok ? answer(decided.value.run, options) : errorEnvelope(decided.error);
    },
    wake: (run) => poke(hands, run),
    show: (run) => (ports.journal.run(run) ? foldOf(hands, run) : null),
  };
}

/** Or how the run ended, because its definition is not there any more. */
function contextOf(
  { ports, tokens }: Hands,
  run: string,
  begun: NewRun | null,
  leaving: AbortSignal | null,
): RunContext | Standing {
  const bell: Bell = createBell();
  const log = createRunLog(ports, run, begun);
  try {
    return { ports, log, bell, root: log.definition(log.state.definition), tokens, leaving };
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    return finish({ ports, log, tokens }, 'failed', error.message, null);
  }
}

/** The open question is told with a token that is good: a new one, where the old one was another program's. */
function tell({ ports, tokens }: Hands, { state, status, wakeAt }: Standing): Envelope {
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

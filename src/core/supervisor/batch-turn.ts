/**
 * Runs one turn for a batch: adds its messages to the transcript, runs the runtime, passes on new messages, and
 * returns the outcome to commit.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { systemPrompt } from '../agents/prompt.ts';
import { sleep } from '../lib/sleep.ts';
import type { AccountStatus } from '../puffo/account-port.ts';
import type { AccountStore, OpenWork, TurnOutcome, TurnTaken } from '../puffo/account-store.ts';
import { newEnvelopeId } from '../puffo/ids.ts';
import type { RuntimePort, TurnArrivals, TurnInput, TurnSlot } from './runtime-port.ts';
import { failedOutcome, turnOutcome } from './turn-outcome.ts';
import type { Batch } from './turn-queue.ts';
import type { TurnReader } from './turn-reader.ts';
import { type EndedTurn, idsOf, type StartReport, type TurnReporter } from './turn-reports.ts';
import { runTurn } from './turn-run.ts';
import type { TurnContext, TurnInfo, WorkerPorts } from './worker-ports.ts';

export interface BatchTurnDeps {
  readonly agentId: string;
  readonly store: AccountStore;
  readonly runtime: RuntimePort;
  readonly reader: TurnReader;
  readonly startReport: StartReport;
  readonly ports: WorkerPorts;
}

export interface TurnDone {
  readonly outcome: TurnOutcome;
  /** Call after the commit. */
  committed(): void;
  /** Call if this host run will not commit it. */
  abandoned(): void;
  /** Call if the commit failed and is tried again in `inMs`. */
  savesAgain(inMs: number, error: AppError): void;
}

export interface TurnJob {
  readonly batch: Batch;
  /** Grows by the messages that the turn takes while it runs. */
  readonly work: OpenWork[];
  readonly signal: AbortSignal;
  /** Takes the waiting messages of the same conversation; they are in flight from then on. */
  arrived(): readonly OpenWork[];
  readonly place: TurnSlot;
  /** Whether the turn has lent its slot, while a person is asked. */
  away(): boolean;
  /** Account status for its other work. */
  restStatus(): AccountStatus | null;
}

/** `null` if the turn was interrupted; its messages stay open. Throws `StoreError`. */
export type RunBatch = (job: TurnJob) => Promise<TurnDone | null>;

const kicks = 3;

export const createBatchTurns =
  (deps: BatchTurnDeps): RunBatch =>
  async (job) => {
    const first = job.work[0];
    if (!first) return null;
    const turn = turnOf(deps.ports, job);
    const report = deps.startReport(turn, job.work);
    report.started(first.message);
    let answered: Awaited<ReturnType<typeof answer>>;
    try {
      answered = await answer(deps, job, turn, report);
    } catch (error) {
      report.abandoned();
      throw error;
    }
    if (!answered) {
      report.abandoned();
      return null;
    }
    const { outcome, result } = answered;
    return {
      outcome,
      committed: () => report.committed(outcome, result, job.restStatus()),
      abandoned: () => report.abandoned(),
      savesAgain: (inMs, error) => report.savesAgain(inMs, error),
    };
  };

const turnOf = ({ random, clock }: WorkerPorts, { batch, work }: TurnJob): TurnInfo => ({
  turnId: batch.turn?.turnId ?? `turn_${random.uuid()}`,
  roomId: batch.roomId,
  rootId: batch.rootId,
  threadKey: batch.threadKey,
  envelopeIds: idsOf(work),
  startedAt: batch.turn?.startedAt ?? clock.now(),
});

const takenBy = (turn: TurnInfo, job: TurnJob): TurnTaken => ({ ...turn, envelopeIds: idsOf(job.work) });

async function answer(
  deps: BatchTurnDeps,
  job: TurnJob,
  turn: TurnInfo,
  report: TurnReporter,
): Promise<{ outcome: TurnOutcome; result: EndedTurn } | null> {
  const { store, reader } = deps;
  const { clock, random } = deps.ports;
  const context = await reader.context(turn.roomId, job.signal);
  if (!job.batch.turn) {
    const read = await reader.read(job.work, turn.threadKey, context, job.signal);
    if (job.signal.aborted && job.signal.reason !== 'stopped') return null;
    store.takeIntoTurn(takenBy(turn, job), read.message);
    read.given();
  }
  const input: TurnInput = {
    turnId: turn.turnId,
    agentId: deps.agentId,
    threadKey: turn.threadKey,
    firstSeq: store.openTurn(turn.threadKey)?.firstSeq ?? 0,
    system: systemPrompt(context.prompt, context.persona),
    untrustedNotes: context.untrustedNotes,
    answersIn: { roomId: turn.roomId, by: 'reply' },
    arrivals: arrivalsOf(deps, { job, turn, context, report }),
    place: job.place,
    tainted: reader.isTainted(job.work),
  };
  const parts = () => ({
    turnId: turn.turnId,
    threadKey: turn.threadKey,
    work: job.work,
    steps: report.steps(),
    trace: report.trace,
    plainModel: context.plainModel,
    newEnvelopeId: () => newEnvelopeId(random),
    at: clock.now(),
  });
  for (let tries = 0; ; tries += 1) {
    const result = await run(deps, job, input, report);
    if (result.type === 'interrupted') return null;
    const outcome = turnOutcome({ ...parts(), result });
    if (outcome) return { outcome, result };
    const error = fail('model_error', 'turns.runtimeReportedApiError');
    if (tries >= kicks) {
      const failed: EndedTurn = { type: 'failed', error, partialText: '', transcript: [] };
      return { outcome: failedOutcome(parts(), error, '', []), result: failed };
    }
    const inMs = Math.round(15_000 + 30_000 * random.fraction());
    report.retries(inMs, error);
    await sleep(clock, inMs, job.signal);
  }
}

interface RunningTurn {
  readonly job: TurnJob;
  readonly turn: TurnInfo;
  readonly context: TurnContext;
  readonly report: TurnReporter;
}

/** Messages that join the running turn are closed with it; the rest stay open for the next turn. */
function arrivalsOf(
  { store, reader }: BatchTurnDeps,
  { job, turn, context, report }: RunningTurn,
): TurnArrivals {
  return {
    async take() {
      if (context.onArrival !== 'steer') return null;
      const fresh = job.arrived();
      if (fresh.length === 0) return null;
      job.work.push(...fresh);
      const { message, given } = await reader.read(fresh, turn.threadKey, context, job.signal);
      // A restarted host may already run this turn again.
      if (job.signal.aborted) return null;
      store.takeIntoTurn(takenBy(turn, job), message);
      given();
      report.took(fresh);
      return { message, tainted: reader.isTainted(fresh) };
    },
  };
}

function run({ runtime, ports }: BatchTurnDeps, job: TurnJob, turn: TurnInput, report: TurnReporter) {
  if (job.signal.aborted && job.signal.reason !== 'stopped')
    return Promise.resolve({ type: 'interrupted' } as const);
  const { clock, log } = ports;
  const onEvent = report.heard.bind(report);
  return runTurn({ runtime, turn, signal: job.signal, clock, log, away: job.away, onEvent });
}

import { mkdirSync } from 'node:fs';
import { ok, type Result } from '../../contract/result.ts';
import { fromOldKey } from '../../core/agents/thread-key.ts';
import type { TaskDesk } from '../../core/tasks/task-desk-port.ts';
import type { GateName } from '../../core/workflows/engine/decide.ts';
import { createEngine, type Engine } from '../../core/workflows/engine/engine.ts';
import type { GateRow, StepCall } from '../../core/workflows/engine/engine-ports.ts';
import { type GateState, isFinished, type RunState } from '../../core/workflows/engine/fold.ts';
import { tokenHash } from '../../core/workflows/engine/gates.ts';
import { openWorkflowJournal, type WorkflowJournal } from '../../services/db/workflow-journal.ts';
import { createOwners } from '../../services/workflows/owners.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { configInForce } from '../agents/agent-view.ts';
import { createOperatorsRoom } from '../approvals/operators-room.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import type { WatchStore } from '../store-watch.ts';
import { createDriver, type Driver } from './driver.ts';
import { createGateQuestions, type GateQuestions } from './gate-questions.ts';
import type { AskedIn } from './gate-text.ts';
import { createHostRunners, type HostRunners, taskKey } from './host-runners.ts';
import { createPendingNotifications, type PendingNotifications } from './pending-notifications.ts';
import { createRunQueries, type RunQueries } from './run-queries.ts';
import type { RunTopics } from './run-topics.ts';
import { watchedJournal } from './watched-journal.ts';

/** Name of the operator as starter and approver of local runs. */
export const operatorName = 'operator';

export interface RunsDeps {
  readonly context: () => HostContext;
  readonly watchStore: WatchStore;
  readonly topics: RunTopics;
  /** `null` if tasks do not run here. */
  readonly desk: () => TaskDesk | null;
}

/** Services of runs while their journal is open. */
export interface OpenRuns {
  readonly engine: Engine;
  readonly journal: WorkflowJournal;
  readonly book: RunQueries;
  readonly driver: Driver;
  readonly questions: GateQuestions;
  readonly words: PendingNotifications;
  /** The operator's name outside of a gate. */
  operator(): string;
  close(): Promise<void>;
}

/** `null` if no agent started it, even if an agent has that name. */
const agentNamed = ({ agents }: HostContext, initiatedBy: string | null) =>
  initiatedBy === null || initiatedBy === operatorName ? null : (agents.get(initiatedBy) ?? null);

function askedIn({ context }: RunsDeps, book: RunQueries, state: RunState, gate: GateState): AskedIn {
  const { operator, fleet } = context();
  const operatorsRoom = createOperatorsRoom({ operator, slugOf: (id) => fleet.post(id)?.slug });
  const starter = agentNamed(context(), state.initiatedBy);
  const name = starter ? configInForce(starter).display_name || starter.id : '';
  const row = book.find(state.id);
  const live = book.live(state.id);
  const thread = state.origin?.thread;
  return {
    run: state.id,
    runName: row.ok ? book.name(row.value) : state.id,
    definition: state.definition,
    origin: state.origin,
    starter: starter
      ? name
      : state.initiatedBy === operatorName
        ? 'you'
        : (state.initiatedBy ?? 'nobody who is known'),
    agent: starter ? { id: starter.id, name } : null,
    room: starter && thread !== undefined ? operatorsRoom(starter.id, fromOldKey(thread)) : null,
    askedAt: live.opened.get(gate.id) ?? context().ports.clock.now(),
  };
}

/**
 * A rule that excludes the initiator must recognize the operator, who may have started the run under the
 * local name.
 */
function operatorFor({ context }: RunsDeps, state: RunState | null, gate: GateState | null): string {
  const starters = [state?.initiatedBy, state?.forkedFrom?.by];
  const bySelf = starters.includes(operatorName) && gate?.content.approvers.notInitiator === true;
  return bySelf ? operatorName : (context().operator.session()?.self.slug ?? operatorName);
}

function runnersFor(
  deps: RunsDeps,
  journal: WorkflowJournal,
  book: RunQueries,
  engine: () => Engine,
): HostRunners {
  const context = deps.context();
  const { layout } = context;
  mkdirSync(layout.workflows, { recursive: true, mode: 0o700 });
  const agentOf = ({ initiatedBy }: StepCall): string | null =>
    agentNamed(context, initiatedBy) ? initiatedBy : null;
  return createHostRunners({
    parts: context,
    journal,
    root: layout.workflows,
    agentOf,
    engine,
    files: () => context.workflows.files(),
    desk: deps.desk,
    nameOf: (run) => {
      const row = journal.run(run);
      return row ? book.name(row) : run;
    },
  });
}

/** Opens the journal and starts due runs; needs an open vault. */
export function openRuns(deps: RunsDeps, parts: OpenParts): Result<OpenRuns> {
  const { layout, ports, tasks } = deps.context();
  const { topics } = deps;
  const { clock, random, log } = ports;
  const key = parts.keys.storeKey(layout.workflowStore);
  if (!key.ok) return key;
  const opened = openWorkflowJournal({
    path: layout.workflowStore,
    key: key.value,
    clock,
    log,
    ...deps.watchStore('runs of workflows'),
  });
  if (!opened.ok) return opened;
  const file = opened.value;
  const words = createPendingNotifications({
    crypto: parts.crypto,
    now: clock.now,
    run: (id) => file.run(id),
    answered: (id) => [...book.live(id).state.gates.values()].some(({ by }) => by !== null),
    post: (id) => deps.context().fleet.post(id),
  });
  const over = (run: string): boolean => isFinished(file.run(run)?.status ?? 'running');
  const journal = watchedJournal(file, (run) => {
    topics.changed(run);
    words.changed(run);
    tasks.runChanged(run, () => over(run));
  });
  const book = createRunQueries(journal, sha256, (key) => deps.desk()?.handedOut(taskKey(key)) ?? null);
  const owners = createOwners();
  const runners = runnersFor(deps, journal, book, () => engine);
  const find = (by: GateName): GateRow | null => {
    if ('gate' in by) return journal.gate(by.gate);
    if ('shortId' in by) return journal.gateByShortId(by.shortId);
    const hash = tokenHash(sha256, by.token);
    return hash === null ? null : journal.gateByToken(hash);
  };
  const questions: GateQuestions = createGateQuestions({
    journal,
    find,
    log,
    now: clock.now,
    monotonic: clock.monotonic,
    engine: () => engine,
    centre() {
      const centre = deps.context().approvals.parts();
      return centre.ok ? centre.value.centre : null;
    },
    askedIn: (state, gate) => askedIn(deps, book, state, gate),
    operator: (state, gate) => operatorFor(deps, state, gate),
    onDecided: () => driver.wake(),
  });
  const engine = createEngine({ journal, runners, owners, clock, random, sha256, gates: questions.gates });
  // A host for a single command only reads and records; runs continue in a permanent host.
  const driver: Driver =
    ports.mode === 'full'
      ? createDriver({
          engine,
          journal,
          clock,
          log,
          agentOf: (run) => agentNamed(deps.context(), book.live(run).state.initiatedBy)?.id ?? null,
          onStood: (run) => topics.changed(run),
          onLook: () => questions.sync(),
        })
      : { wake: () => undefined, leave: async () => undefined, stop: async () => undefined };
  driver.wake();
  tasks.runsOpened(over);
  const close = async (): Promise<void> => {
    await driver.stop();
    runners.close();
    owners.release();
    file.release();
  };
  return ok({
    engine,
    journal,
    book,
    driver,
    questions,
    words,
    operator: () => operatorFor(deps, null, null),
    close,
  });
}

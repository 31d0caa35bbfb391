import { ok, type Result } from '../../contract/result.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { createEngine, type Engine } from '../../core/workflows/engine/engine.ts';
import type { RunQueries } from '../../core/workflows/views/run-queries.ts';
import type { WorkflowJournal } from '../../services/db/workflow-journal.ts';
import { createOwners } from '../../services/workflows/owners.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Driver, DriverDeps } from './driver.ts';
import type { GateQuestions, GateQuestionsDeps } from './gate-questions.ts';
import type { HostRunners } from './host-runners.ts';
import type { PendingNotifications } from './pending-notifications.ts';
import type { RunRecords } from './run-records.ts';
import { createRunSlots, type RunSlots } from './run-slots.ts';

/** The engine that a part uses although it is created later. */
type LaterEngine = () => Engine;

interface DriverParts extends Pick<DriverDeps, 'events'> {
  readonly engine: Engine;
  readonly slots: RunSlots;
}

/** Each factory is complete but for what only the opened runs know. */
export interface OpenRunsDeps {
  readonly clock: Clock;
  readonly random: Random;
  openRecords(parts: OpenParts, onWritten: (run: string, isOver: () => boolean) => void): Result<RunRecords>;
  createRunners(records: RunRecords, engine: LaterEngine, slots: RunSlots): HostRunners;
  createQuestions(records: RunRecords, engine: GateQuestionsDeps['engine']): GateQuestions;
  createDriver(records: RunRecords, parts: DriverParts): Driver;
}

export interface RunsListener {
  /** The run was written to. */
  onWritten(run: string, isOver: () => boolean): void;
  /** The run waits or could not continue. */
  onStood(run: string): void;
  /** Runs are readable now; `isOver` tells which ended meanwhile. */
  onOpened(isOver: (run: string) => boolean): void;
}

export type OpenRunsPort = (parts: OpenParts, listener: RunsListener) => Result<OpenRuns>;

/** Services of runs while their journal is open. */
export interface OpenRuns {
  readonly engine: Engine;
  readonly journal: WorkflowJournal;
  readonly book: RunQueries;
  readonly pieces: RunRecords['pieces'];
  readonly driver: Driver;
  readonly questions: GateQuestions;
  readonly words: PendingNotifications;
  close(): Promise<void>;
}

/** Opens the journal and starts due runs; needs an open vault. */
export const createRunsOpener =
  (deps: OpenRunsDeps): OpenRunsPort =>
  (parts, listener) => {
    const { clock, random } = deps;
    const opened = deps.openRecords(parts, listener.onWritten);
    if (!opened.ok) return opened;
    const records = opened.value;
    const { journal, book, pieces, words } = records;
    const owners = createOwners();
    const slots = createRunSlots(() => driver.wake());
    const runners = deps.createRunners(records, () => engine, slots);
    const questions: GateQuestions = deps.createQuestions(records, () => ({
      show: (run) => engine.show(run),
      decide(decision) {
        const decided = engine.decide(decision);
        if (decided.ok) driver.wake();
        return decided;
      },
    }));
    const engine = createEngine({
      journal,
      runners: slots.around(runners),
      owners,
      clock,
      random,
      sha256,
      gates: questions.gates,
    });
    const driver: Driver = deps.createDriver(records, {
      engine,
      slots,
      events: { onStood: listener.onStood, onLook: () => questions.sync() },
    });
    driver.wake();
    listener.onOpened(records.isOver);
    const close = async (): Promise<void> => {
      await driver.stop();
      runners.close();
      owners.release();
      records.release();
    };
    return ok({ engine, journal, book, pieces, driver, questions, words, close });
  };

/** One run in the hands of this program: its state in memory is exactly what the journal holds, never ahead of it. */
import type { StepResult, WorkflowDefinition } from '../file/definition.ts';
import type { EnginePorts, GateChange, JournalWrite } from './engine-ports.ts';
import type { EventRow, Person, RunEvent, RunStatus } from './events.ts';
import { hashText } from './events.ts';
import { applyRow, foldRun, openGatesOf, type RunState, type StepState } from './fold.ts';
import { keep, unkeep } from './kept-result.ts';

/** Somebody else owns the run now, or its journal does not hold what it must; the walk ends without another effect. */
export class RunLost extends Error {}

export interface RunLog {
  readonly state: RunState;
  /** One transaction; throws `RunLost` when the run is not ours any more. */
  write(
    events: readonly RunEvent[],
    more?: Pick<JournalWrite, 'gates' | 'blobs' | 'status' | 'wakeAt'>,
  ): void;
  /** False: a gate was decided, or its token used, by somebody else meanwhile. The state knows of it then. */
  writeGates(events: readonly RunEvent[], gates: readonly GateChange[]): boolean;
  /** Records the end of a step, with its output in the same transaction. */
  end(
    path: string,
    result: StepResult,
    how?: { parsed?: boolean; costUsd?: number; saidBy?: Person },
  ): StepResult;
  result(step: StepState): StepResult;
  /** What others wrote meanwhile. */
  refresh(): void;
  /** Says how the run stands; false: somebody wrote meanwhile, so that it stands otherwise. */
  settle(status: RunStatus, wakeAt: number | null): boolean;
  definition(hash: string): WorkflowDefinition;
}

/** When the clock has something to do for an open gate; null: never. */
function nextGateTime(state: RunState): number | null {
  const times = openGatesOf(state).flatMap((gate) => [
    ...(gate.expiresAt === null ? [] : [gate.expiresAt]),
    ...(gate.remindAt === null || gate.reminded ? [] : [gate.remindAt]),
  ]);
  return times.length === 0 ? null : Math.min(...times);
}

export const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

export function createRunLog(ports: EnginePorts, id: string): RunLog {
  const { journal, sha256, clock, owners } = ports;
  const state = foldRun(id, journal.events(id, 0));
  const results = new Map<string, StepResult>();
  const take = (rows: readonly EventRow[]): void => {
    for (const row of rows) applyRow(state, row);
  };
  const append = (write: Omit<JournalWrite, 'run' | 'at' | 'afterSeq' | 'owner'>) =>
    journal.append({
      ...write,
      run: id,
      at: clock.now(),
      afterSeq: state.last?.seq ?? 0,
      owner: owners.self,
    });
  const log: RunLog = {
    state,
    write(events, more = {}) {
      const done = append({ ...more, events });
      if (!done.ok) throw new RunLost(done.error.message);
      take(done.value);
    },
    writeGates(events, gates) {
      const done = append({ events, gates });
      if (done.ok) take(done.value);
      else if (journal.run(id)?.owner !== owners.self) throw new RunLost(done.error.message);
      else log.refresh();
      return done.ok;
    },
    end(path, result, how = {}) {
      const { place, blobs } = keep(sha256, result, how.parsed ?? false);
      const cost = how.costUsd === undefined ? {} : { costUsd: how.costUsd };
      const said = how.saidBy === undefined ? {} : { saidBy: how.saidBy };
      log.write([{ type: 'step_ended', path, result: place, ...cost, ...said }], { blobs });
      results.set(path, result);
      return result;
    },
    result(step) {
      const held = results.get(step.path);
      if (held) return held;
      const read = step.ended && unkeep(sha256, step.ended, (hash) => journal.blob(hash));
      if (!read) throw new RunLost(`The output of step '${step.path}' is not there any more.`);
      results.set(step.path, read);
      return read;
    },
    refresh: () => take(journal.events(id, state.last?.seq ?? 0)),
    settle(status, wakeAt) {
      const next = earliest(wakeAt, nextGateTime(state));
      const done = append({ events: [], status, wakeAt: next, exact: true });
      if (!done.ok && journal.run(id)?.owner !== owners.self) throw new RunLost(done.error.message);
      if (!done.ok) log.refresh();
      return done.ok;
    },
    definition: (hash) => pinned(ports, hash),
  };
  return log;
}

/** The definition exactly as it was when the run began; a text that does not have its hash is not used. */
export function pinned(ports: Pick<EnginePorts, 'journal' | 'sha256'>, hash: string): WorkflowDefinition {
  const text = ports.journal.definition(hash);
  if (text === null || hashText(ports.sha256, text) !== hash) {
    throw new RunLost('The pinned definition of this run is damaged; nothing of it was run.');
  }
  return JSON.parse(text) as WorkflowDefinition;
}

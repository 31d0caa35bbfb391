/**
 * One run in the hands of this program. Its state in memory is what the journal holds; it is ahead of it only by what may be
 * lost, because nothing outside came of it, and by that no longer than until the next write.
 */
import type { StepResult, WorkflowDefinition } from '../file/definition.ts';
import { readExact } from '../pipeline/exact-json.ts';
import type { EnginePorts, GateChange, JournalWrite, NewRun } from './engine-ports.ts';
import type { EventRow, Person, RunEvent, RunStatus, Sha256 } from './events.ts';
import { hashText } from './events.ts';
import {
  applyEvent,
  applyRow,
  emptyRun,
  foldRun,
  openGatesOf,
  type RunState,
  type StepState,
} from './fold.ts';
import { createHeldEvents, type HeldEvents, type HeldGate } from './held-events.ts';
import { keep, unkeep } from './kept-result.ts';
import { type StepCost, stepCost } from './step-cost.ts';

/** Somebody else owns the run now; the walk ends without another effect. */
export class RunLost extends Error {}

/** What the run goes on from is gone, or is not what was written. It says which, and the run is over. */
export class RunDamaged extends Error {}

export interface RunLog {
  readonly state: RunState;
  /** One transaction; throws `RunLost` when the run is not ours any more. */
  write(
    events: readonly RunEvent[],
    more?: Pick<JournalWrite, 'gates' | 'blobs' | 'status' | 'wakeAt' | 'release'>,
  ): void;
  /**
   * Takes down what changes nothing outside: it is written with the next write, or soon. A program that is killed before
   * does it once more. A gate is told of when it is written.
   */
  later(events: readonly RunEvent[], gate?: HeldGate): void;
  /** False: a gate was decided, or its token used, by somebody else meanwhile. The state knows of it then. */
  writeGates(events: readonly RunEvent[], gates: readonly GateChange[]): boolean;
  /** Records the end of a step, with its output in the same transaction. */
  end(path: string, result: StepResult, how?: StepCost & { saidBy?: Person; later?: boolean }): StepResult;
  result(step: StepState): StepResult;
  /** What others wrote meanwhile. */
  refresh(): void;
  /** Says how the run stands; false: somebody wrote meanwhile, so that it stands otherwise. */
  settle(status: RunStatus, wakeAt: number | null, release?: boolean): boolean;
  /** Nothing more is written, not even what was held back. */
  close(): void;
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

type OwnWrite = Omit<JournalWrite, 'run' | 'at' | 'afterSeq' | 'owner' | 'held'>;

/** Writes what was held back, too, and takes what others wrote into the state. `begun`: the run itself is held back yet. */
function appendTo(
  { journal, clock, owners }: EnginePorts,
  state: RunState,
  held: HeldEvents,
  begun: NewRun | null,
) {
  let creates = begun;
  const take = (rows: readonly EventRow[]): void => {
    for (const row of rows) applyRow(state, row);
  };
  return (write: OwnWrite) => {
    const { events } = held;
    const done = journal.append({
      ...write,
      ...(creates ? { creates } : {}),
      gates: [...held.gates, ...(write.gates ?? [])],
      held: events,
      run: state.id,
      at: clock.now(),
      afterSeq: state.last?.seq ?? 0,
      owner: owners.self,
    });
    if (!done.ok) return done;
    // Ours are the last ones; those that were held back are part of the state already.
    const own = done.value.length - write.events.length;
    take(done.value.slice(0, own - events.length));
    state.last = done.value[own - 1] ?? state.last;
    take(done.value.slice(own));
    creates = null;
    held.written();
    return done;
  };
}

/** `begun`: a run that is written down with the first thing that happens in it. */
export function createRunLog(ports: EnginePorts, id: string, begun: NewRun | null = null): RunLog {
  const { journal, sha256, clock, owners } = ports;
  const state = begun ? emptyRun(id) : foldRun(id, journal.events(id, 0));
  const results = new Map<string, StepResult>();
  const held = createHeldEvents(clock, () => log.write([]));
  const take = (rows: readonly EventRow[]): void => {
    for (const row of rows) applyRow(state, row);
  };
  const append = appendTo(ports, state, held, begun);
  const texts = new Map(begun?.definitions.map(({ hash, text }) => [hash, text]));
  const log: RunLog = {
    state,
    write(events, more = {}) {
      const done = append({ ...more, events });
      if (!done.ok) throw new RunLost(done.error.message);
    },
    later(events, gate) {
      const at = clock.now();
      for (const event of events) {
        applyEvent(state, event, at);
        held.add({ at, event }, gate);
      }
    },
    writeGates(events, gates) {
      const done = append({ events, gates });
      if (done.ok) return true;
      if (journal.run(id)?.owner !== owners.self) throw new RunLost(done.error.message);
      log.refresh();
      return false;
    },
    end(path, result, how = {}) {
      const { place, blobs } = keep(sha256, result);
      const said = how.saidBy === undefined ? {} : { saidBy: how.saidBy };
      const event: RunEvent = { type: 'step_ended', path, result: place, ...stepCost(how), ...said };
      if (how.later && blobs.length === 0) log.later([event]);
      else log.write([event], { blobs });
      results.set(path, result);
      return result;
    },
    result(step) {
      const held = results.get(step.path);
      if (held) return held;
      const read = step.ended && unkeep(sha256, step.ended, (hash) => journal.blob(hash));
      if (!read)
        throw new RunDamaged(`The output of step '${step.path}' is gone or damaged; nothing went on.`);
      results.set(step.path, read);
      return read;
    },
    refresh() {
      // What is not written down yet nobody has written to.
      if (state.last) take(journal.events(id, state.last.seq));
    },
    settle(status, wakeAt, release = false) {
      const next = earliest(wakeAt, nextGateTime(state));
      const done = append({
        events: [],
        status,
        wakeAt: next,
        exact: true,
        ...(release ? { release } : {}),
      });
      if (!done.ok && journal.run(id)?.owner !== owners.self) throw new RunLost(done.error.message);
      if (!done.ok) log.refresh();
      return done.ok;
    },
    definition: (hash) => pinned(sha256, hash, texts.get(hash) ?? journal.definition(hash)),
    close: held.close,
  };
  if (begun) log.later([begun.event]);
  return log;
}

/** The definition exactly as it was when the run began; a text that does not have its hash is not used. */
export function pinned(sha256: Sha256, hash: string, text: string | null): WorkflowDefinition {
  if (text === null || hashText(sha256, text) !== hash) {
    throw new RunDamaged('The pinned definition of this run is gone or damaged; nothing went on.');
  }
  return readExact(text) as unknown as WorkflowDefinition;
}

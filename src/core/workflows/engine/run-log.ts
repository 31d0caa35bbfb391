/**
 * Event log of one run in this program. The state in memory may be ahead of the journal only by events
 * without outside effects, and only until the next write.
 */

import type { AppError } from '../../../contract/errors.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { StepResult, WorkflowDefinition } from '../file/definition.ts';
import { readExact } from '../pipeline/exact-json.ts';
import type { EnginePorts, GateChange, JournalWrite, NewRun } from './engine-ports.ts';
import { createHeldEvents, type HeldEvents, type HeldGate } from './event-batch.ts';
import type { EventRow, Person, RunEvent, RunStatus, Sha256 } from './events.ts';
import { hashText } from './events.ts';
import { keep, unkeep } from './kept-result.ts';
import {
  applyEvent,
  applyRow,
  emptyRun,
  foldRun,
  openGatesOf,
  type RunState,
  type StepFold,
} from './run-state.ts';
import { type StepCost, stepCost } from './step-cost.ts';

/** Another program owns the run; driving ends without another effect. */
export class RunLost extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.error = error;
  }
}

/** Stored data of the run is missing or damaged. The message names it, and the run ends. */
export class RunDamaged extends Error {
  readonly said: HostText;

  constructor(said: HostText) {
    super(englishText(said));
    this.said = said;
  }
}

/**
 * When the end of a step reaches the disk. `now`: at once. `next`: a kill of the program loses nothing, and
 * the next write syncs it before anything else happens. `later`: a kill of the program may lose it.
 */
export type EndSync = 'now' | 'next' | 'later';

export interface RunLog {
  readonly state: RunState;
  /** One transaction; throws `RunLost` if this program no longer owns the run. */
  write(
    events: readonly RunEvent[],
    more?: Pick<JournalWrite, 'gates' | 'blobs' | 'status' | 'wakeAt' | 'release' | 'unsynced'>,
  ): void;
  /**
   * Holds back an event without outside effects: it is written with the next write, or soon. A program killed
   * before repeats the step. A gate is announced when it is written.
   */
  later(events: readonly RunEvent[], gate?: HeldGate): void;
  /** False if another program decided the gate or used its token; the state then includes that. */
  writeGates(events: readonly RunEvent[], gates: readonly GateChange[]): boolean;
  /** Records the end of a step and its output in one transaction. */
  end(path: string, result: StepResult, how?: StepCost & { saidBy?: Person; sync?: EndSync }): StepResult;
  result(step: StepFold): StepResult;
  /** Reads rows that other programs wrote. */
  refresh(): void;
  /** Writes the status; false if another program wrote meanwhile, so that the status is outdated. */
  settle(status: RunStatus, wakeAt: number | null, release?: boolean): boolean;
  /** Writes nothing more, not even held events. */
  close(): void;
  definition(hash: string): WorkflowDefinition;
}

/** Next reminder or expiry of any open gate; `null` if none. */
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

/**
 * Writes held events, too, and applies rows of other programs to the state. `begun`: a run that is not in the
 * journal yet.
 */
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
    // The new rows come last; held events are part of the state already.
    const own = done.value.length - write.events.length;
    take(done.value.slice(0, own - events.length));
    state.last = done.value[own - 1] ?? state.last;
    take(done.value.slice(own));
    creates = null;
    held.written();
    return done;
  };
}

/** `begun`: a run that is written with its first event. */
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
      if (!done.ok) throw new RunLost(done.error);
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
      if (journal.run(id)?.owner !== owners.self) throw new RunLost(done.error);
      log.refresh();
      return false;
    },
    end(path, result, how = {}) {
      const { place, blobs } = keep(sha256, result);
      const said = how.saidBy === undefined ? {} : { saidBy: how.saidBy };
      const event: RunEvent = { type: 'step_ended', path, result: place, ...stepCost(how), ...said };
      if (how.sync === 'later' && blobs.length === 0) log.later([event]);
      // A held question is announced with its write, so that write must last.
      else if (how.sync === 'next' && held.gates.length === 0) log.write([event], { blobs, unsynced: true });
      else log.write([event], { blobs });
      results.set(path, result);
      return result;
    },
    result(step) {
      const held = results.get(step.path);
      if (held) return held;
      const read = step.ended && unkeep(sha256, step.ended, (hash) => journal.blob(hash));
      if (!read) throw new RunDamaged(say('workflows.stepOutputLost', { step: step.path }));
      results.set(step.path, read);
      return read;
    },
    refresh() {
      // A run that is not in the journal yet has no rows of other programs.
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
      if (!done.ok && journal.run(id)?.owner !== owners.self) throw new RunLost(done.error);
      if (!done.ok) log.refresh();
      return done.ok;
    },
    definition: (hash) => pinned(sha256, hash, texts.get(hash) ?? journal.definition(hash)),
    close: held.close,
  };
  if (begun) log.later([begun.event]);
  return log;
}

/** The definition exactly as it was when the run started; throws if the text does not match its hash. */
export function pinned(sha256: Sha256, hash: string, text: string | null): WorkflowDefinition {
  if (text === null || hashText(sha256, text) !== hash) {
    throw new RunDamaged(say('workflows.definitionDamaged'));
  }
  return readExact(text) as unknown as WorkflowDefinition;
}

/** Run states cached from the journal and updated with new events; for display only. */
import type { Journal } from '../engine/engine-ports.ts';
import type { EventRow } from '../engine/events.ts';
import { applyRow, emptyRun, type RunState } from '../engine/run-state.ts';
import { createSpanBook, type SpanBook } from './step-spans.ts';

/** First and last event of a place in a run, in ms since the epoch. */
export interface PlaceTimes {
  readonly first: number;
  last: number;
}

export interface LiveRun {
  readonly state: RunState;
  readonly times: Map<string, PlaceTimes>;
  readonly spans: SpanBook;
  readonly opened: Map<string, number>;
  readonly decided: Map<string, number>;
  /** Time of the last event, or `null` without one. */
  lastAt: number | null;
}

/** Capacity of the LRU cache. */
const maxHeld = 128;

export interface LiveRuns {
  of(run: string): LiveRun;
}

function take(live: LiveRun, row: EventRow): void {
  applyRow(live.state, row);
  const { event, at } = row;
  // Forks of a run are recorded after its end and do not change its duration.
  if (event.type !== 'run_forked') live.lastAt = at;
  if (event.type === 'run_created')
    for (const { path } of event.forkedFrom?.taken ?? []) live.times.set(path, { first: at, last: at });
  if (event.type === 'gate_opened') live.opened.set(event.gate, at);
  if (event.type === 'gate_decided' || event.type === 'gate_withdrawn') live.decided.set(event.gate, at);
  live.spans.take(row, (gate) => live.state.gates.get(gate)?.path);
  const gate = 'gate' in event ? live.state.gates.get(event.gate)?.path : undefined;
  const path = 'path' in event && event.path !== null ? event.path : gate;
  if (path === undefined) return;
  const before = live.times.get(path);
  if (before) before.last = at;
  else live.times.set(path, { first: at, last: at });
}

export function createLiveRuns(journal: Pick<Journal, 'events'>): LiveRuns {
  const held = new Map<string, LiveRun>();
  return {
    of(run) {
      const live = held.get(run) ?? {
        state: emptyRun(run),
        times: new Map(),
        spans: createSpanBook(),
        opened: new Map(),
        decided: new Map(),
        lastAt: null,
      };
      held.delete(run);
      held.set(run, live);
      for (const row of journal.events(run, live.state.last?.seq ?? 0)) take(live, row);
      const oldest = held.size > maxHeld ? held.keys().next().value : undefined;
      if (oldest !== undefined) held.delete(oldest);
      return live;
    },
  };
}

/** Working and waiting times of each step, from the journal. */
import type { RunStep } from '../../../contract/workflow-methods.ts';
import type { EventRow, RunEvent } from '../engine/events.ts';

type Span = RunStep['spans'][number];

export interface StepTimes {
  /** The latest spans; the last one may be open. */
  readonly spans: readonly Span[];
  /** ms of all finished waits. */
  readonly waited: number;
}

interface Times {
  spans: Span[];
  waited: number;
}

/** Limit, because a step may be retried thousands of times. */
const mostSpans = 60;

export interface SpanBook {
  /** `gateAt` finds the path of an earlier gate. */
  take(row: EventRow, gateAt: (gate: string) => string | undefined): void;
  of(path: string): StepTimes;
}

const none: StepTimes = { spans: [], waited: 0 };

function end(times: Times, at: number): void {
  const last = times.spans.at(-1);
  if (!last || last.to !== null) return;
  const to = Math.max(last.from, at);
  times.spans[times.spans.length - 1] = { ...last, to };
  if (last.kind === 'wait') times.waited += to - last.from;
}

function begin(times: Times, kind: Span['kind'], at: number): void {
  end(times, at);
  times.spans.push({ kind, from: at, to: null });
  if (times.spans.length > mostSpans) times.spans.shift();
}

/** A pause before an iteration belongs to the loop. */
const loopOf = (path: string): string => path.replace(/\[\d+\]$/, '');

export function createSpanBook(): SpanBook {
  const book = new Map<string, Times>();
  const at = (path: string): Times => {
    const known = book.get(path) ?? { spans: [], waited: 0 };
    book.set(path, known);
    return known;
  };
  /** Time of the run's last event. */
  let heard = 0;
  const ofStep = (event: RunEvent, time: number): void => {
    switch (event.type) {
      case 'step_started':
        begin(at(event.path), 'work', time);
        return;
      case 'step_ended':
      case 'step_halted':
        end(at(event.path), time);
        return;
      case 'step_failed':
        if (event.retryAt === null) end(at(event.path), time);
        else begin(at(event.path), 'wait', time);
        return;
      case 'step_interrupted':
        // The host may not have run since then.
        end(at(event.path), heard);
        return;
      case 'timer_set':
        begin(at(loopOf(event.path)), 'wait', time);
        return;
      case 'run_finished':
        for (const times of book.values()) end(times, time);
    }
  };
  /** An event inside a loop ends the loop's pause. */
  const endPauses = (path: string, time: number): void => {
    for (const round of path.matchAll(/\[\d+\]/g)) {
      const loop = book.get(path.slice(0, round.index));
      if (loop) end(loop, time);
    }
  };
  return {
    take({ event, at: time }, gateAt) {
      if (event.type === 'gate_opened') begin(at(event.path), 'wait', time);
      else if (event.type === 'gate_decided' || event.type === 'gate_withdrawn') {
        const path = gateAt(event.gate);
        if (path !== undefined) end(at(path), time);
      } else ofStep(event, time);
      if ('path' in event && event.path !== null && event.type !== 'timer_set') endPauses(event.path, time);
      heard = time;
    },
    of: (path) => book.get(path) ?? none,
  };
}

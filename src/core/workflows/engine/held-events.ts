/**
 * What waits for the next write of its run, so that steps which change nothing outside, and a question behind them, share
 * one sync of the disk: for a moment only, and not much, since a program that is killed loses it.
 */
import type { Clock, Timer } from '../../ports.ts';
import type { GateChange, HeldEvent } from './engine-ports.ts';

/** Held back at most this long, in ms, and so many; a question no longer than what follows at once. */
const soonMs = 50;
const mostHeld = 64;

/** What belongs to a held event: its gate, and who is told of it once it is written. */
export interface HeldGate {
  readonly gate: GateChange;
  written(): void;
}

export interface HeldEvents {
  readonly events: readonly HeldEvent[];
  readonly gates: readonly GateChange[];
  add(event: HeldEvent, gate?: HeldGate): void;
  /** They are in the journal: whoever waited for it is told. */
  written(): void;
  /** Nobody is to write them any more. */
  close(): void;
}

/** `flush` is the write that comes when no other does. */
export function createHeldEvents(clock: Clock, flush: () => void): HeldEvents {
  let events: HeldEvent[] = [];
  let gates: HeldGate[] = [];
  let timer: Timer | null = null;
  const close = (): void => {
    timer?.cancel();
    timer = null;
  };
  const flushNow = (): void => {
    timer = null;
    try {
      flush();
    } catch {
      // Whoever writes next meets the same and tells it.
    }
  };
  return {
    get events() {
      return events;
    },
    get gates() {
      return gates.map(({ gate }) => gate);
    },
    add(event, gate) {
      events.push(event);
      if (gate) {
        gates.push(gate);
        close();
      }
      if (events.length >= mostHeld) flush();
      else timer ??= clock.after(gate ? 0 : soonMs, flushNow, { unref: true });
    },
    written() {
      close();
      const told = gates;
      events = [];
      gates = [];
      for (const { written } of told) written();
    },
    close,
  };
}

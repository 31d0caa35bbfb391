/**
 * Holds back events until the next write of their run, so that steps without outside effects, and a question
 * after them, share one disk sync. The delay and the number are small, because a killed program loses them.
 */
import type { Clock, Timer } from '../../ports.ts';
import type { GateChange, HeldEvent } from './engine-ports.ts';

/** Longest delay in ms, and most events held back; a question waits only for events of the same tick. */
const soonMs = 50;
const mostHeld = 64;

/** Gate change of a held event, and the notification after its write. */
export interface HeldGate {
  readonly gate: GateChange;
  written(): void;
}

export interface HeldEvents {
  readonly events: readonly HeldEvent[];
  readonly gates: readonly GateChange[];
  add(event: HeldEvent, gate?: HeldGate): void;
  /** Called after the write: runs the notifications. */
  written(): void;
  /** Cancels the scheduled flush; held events are not written any more. */
  close(): void;
}

/** `flush` writes the events if no other write comes first. */
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
      // The next write fails the same way and reports it.
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

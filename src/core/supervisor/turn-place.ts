/**
 * The one place in which an agent thinks and acts. A turn that waits for a person lends it and has it back before it
 * goes on; turns that come back go before whatever has not begun. A turn that is over or aborted wants it no more.
 */
import type { TurnPlace } from '../runtime-ports.ts';

export interface Seat extends TurnPlace {
  has(): boolean;
  /** The turn is over. */
  leave(): void;
}

export interface AgentPlace {
  vacant(): boolean;
  /** At the next moment at which nobody has it and nobody wants it back. */
  whenVacant(): Promise<void>;
  /** Only while it is vacant; lives as long as the turn of `signal`. */
  take(signal: AbortSignal): Seat;
}

export function createAgentPlace(): AgentPlace {
  let taken = false;
  /** Those that want it back, first come first served. */
  const returning: (() => void)[] = [];
  let told: (() => void)[] = [];

  const pass = (): void => {
    const next = returning.shift();
    if (next) {
      next();
      return;
    }
    taken = false;
    const now = told;
    told = [];
    for (const tell of now) tell();
  };

  return {
    vacant: () => !taken,
    whenVacant: () => (taken ? new Promise<void>((resolve) => told.push(resolve)) : Promise.resolve()),
    take(signal) {
      taken = true;
      return createSeat(signal, {
        pass,
        enterNow() {
          if (taken) return false;
          taken = true;
          return true;
        },
        enterLater: (go) => void returning.push(go),
        forget(go) {
          const at = returning.indexOf(go);
          if (at >= 0) returning.splice(at, 1);
        },
      });
    },
  };
}

interface Door {
  pass(): void;
  enterNow(): boolean;
  /** Calls `go` when the place is the caller's. */
  enterLater(go: () => void): void;
  forget(go: () => void): void;
}

function createSeat(signal: AbortSignal, door: Door): Seat {
  let has = true;
  let over = false;
  /** Ends the wait for the place. */
  let giveUp: (() => void) | null = null;
  let back: Promise<void> | null = null;

  const comeBack = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', stop);
        giveUp = null;
        back = null;
        resolve();
      };
      const enter = (): void => {
        has = true;
        done();
      };
      const stop = (): void => {
        door.forget(enter);
        done();
      };
      giveUp = stop;
      signal.addEventListener('abort', stop, { once: true });
      door.enterLater(enter);
    });

  return {
    has: () => has,
    async lend(work) {
      if (has && !over) {
        has = false;
        door.pass();
      }
      try {
        return await work;
      } finally {
        if (!has && !over && !signal.aborted) {
          has = door.enterNow();
          if (!has) back ??= comeBack();
          await back;
        }
      }
    },
    leave() {
      over = true;
      giveUp?.();
      if (has) {
        has = false;
        door.pass();
      }
    },
  };
}

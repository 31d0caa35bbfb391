/**
 * The single turn slot of an agent. A turn that waits for a person lends the slot and takes it back before it
 * continues; resuming turns go before new ones. A finished or aborted turn no longer waits for it.
 */
import type { TurnSlot } from './runtime-port.ts';

export interface HeldTurnSlot extends TurnSlot {
  has(): boolean;
  /** Frees the slot at the end of the turn. */
  leave(): void;
}

export interface SingleTurnSlot {
  vacant(): boolean;
  /** Resolves when the slot is free and no turn waits to resume. */
  whenVacant(): Promise<void>;
  /** Requires a vacant slot; the held slot is valid until the turn of `signal` ends. */
  take(signal: AbortSignal): HeldTurnSlot;
}

export function createTurnSlot(): SingleTurnSlot {
  let taken = false;
  /** Resuming turns in order of arrival. */
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
      return createHeldTurnSlot(signal, {
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
  /** Calls `go` once the caller holds the slot. */
  enterLater(go: () => void): void;
  forget(go: () => void): void;
}

function createHeldTurnSlot(signal: AbortSignal, door: Door): HeldTurnSlot {
  let has = true;
  let over = false;
  /** Cancels the wait for the slot. */
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

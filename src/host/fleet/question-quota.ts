import type { Clock, Timer } from '../../core/ports.ts';

/**
 * Limits questions that strangers can cause, open at a time and per hour, because each one is a message in
 * the chat.
 */
const maxOpen = 5;
const maxPerHour = 20;
const hourMs = 3_600_000;

export interface QuestionQuota {
  hasRoom(open: number): boolean;
  /** Counts a question. Call the result once if the question could not be asked after all. */
  asked(): () => void;
  stop(): void;
}

/** `onRoom` is called when the hourly quota allows another question after it was used up. */
export function createQuestionQuota(clock: Clock, onRoom: () => void): QuestionQuota {
  /** Monotonic ms, oldest first. */
  let asked: readonly number[] = [];
  let later: Timer | null = null;
  return {
    hasRoom(open) {
      const now = clock.monotonic();
      asked = asked.filter((at) => now - at < hourMs);
      const [oldest] = asked;
      if (asked.length < maxPerHour || oldest === undefined) return open < maxOpen;
      later ??= clock.after(
        oldest + hourMs - now,
        () => {
          later = null;
          onRoom();
        },
        { unref: true },
      );
      return false;
    },
    asked() {
      const now = clock.monotonic();
      asked = [...asked, now];
      return () => {
        const index = asked.indexOf(now);
        if (index >= 0) asked = asked.toSpliced(index, 1);
      };
    },
    stop: () => later?.cancel(),
  };
}

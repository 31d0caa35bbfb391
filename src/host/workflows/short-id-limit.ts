import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { Clock } from '../../core/ports.ts';

// Rate limit on wrong short ids: eight hex digits could otherwise be guessed before a gate expires.

const windowMs = 60_000;
const maxWrong = 5;

export interface GuessLimit {
  mayTry(): boolean;
  tried(right: boolean): void;
  readonly refusal: AppError;
}

export function createGuessLimit(clock: Pick<Clock, 'monotonic'>): GuessLimit {
  let wrong: readonly number[] = [];
  const lately = (): readonly number[] => wrong.filter((at) => clock.monotonic() - at < windowMs);
  return {
    mayTry: () => lately().length < maxWrong,
    tried(right) {
      wrong = right ? lately() : [...lately(), clock.monotonic()];
    },
    refusal: fail('rate_limited', 'workflows.tooManyWrongIds', {}, { help: 'workflows.waitMinute' }),
  };
}

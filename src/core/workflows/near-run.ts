/** The run that somebody may have meant who typed an id, or a beginning of one, that none has. */
import { didYouMean } from '../lib/did-you-mean.ts';

/** How many of the latest runs are compared. */
export const comparedRuns = 100;
/** As much of an id as lists show. */
const shownLength = 8;

export const nearRun = (wanted: string, ids: readonly string[]): string | null =>
  didYouMean(
    wanted,
    ids.map((id) => id.slice(0, Math.max(shownLength, wanted.length))),
  );

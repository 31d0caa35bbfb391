/** Suggests a run for a mistyped run id or id prefix. */
import { didYouMean } from '../../../contract/did-you-mean.ts';

/** Number of latest runs to compare. */
export const comparedRuns = 100;
/** Characters of an id that lists show. */
const shownLength = 8;

export const nearRun = (wanted: string, ids: readonly string[]): string | null =>
  didYouMean(
    wanted,
    ids.map((id) => id.slice(0, Math.max(shownLength, wanted.length))),
  );

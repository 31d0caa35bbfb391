/** Port of the queries over all runs of a journal: pages, search and verification. */
import type { Journal, RunRow } from '../engine/engine-ports.ts';
import type { RunStatus } from '../engine/events.ts';

export interface PastQuery {
  readonly status?: RunStatus | undefined;
  /** Only archived ones if true, none if false; absent: both. */
  readonly archived?: boolean | undefined;
  /** A run id: only older runs. */
  readonly before?: string | undefined;
  /** A prefix of the run id. */
  readonly begins?: string | undefined;
  readonly limit: number;
}

export interface WordsQuery {
  readonly status?: RunStatus | undefined;
  /** Only archived ones if true, none if false; absent: both. */
  readonly archived?: boolean | undefined;
  /** In lower case; matches any part of the name, the file, the id or the last message. */
  readonly text: string;
  /** A run id: only older runs. */
  readonly before?: string | undefined;
  /** Only runs with a number below this one; continues after the previous batch. */
  readonly below?: number | undefined;
  readonly limit: number;
}

export interface FoundRuns {
  /** Newest first. */
  readonly rows: readonly RunRow[];
  /** The start of the next batch, or `null` if all runs were searched. */
  readonly below: number | null;
}

export interface RunHistory
  extends Pick<Journal, 'run' | 'runs' | 'events' | 'definition' | 'blob' | 'gate'> {
  /**
   * The number of the first event that was altered, is missing, or names a missing output or definition;
   * `null` if the history is intact.
   */
  brokenAt(run: string): number | null;
  /** A page of all runs, newest first. */
  past(query: PastQuery): readonly RunRow[];
  /** Indexes one batch of changed runs for the search. Returns true if more remain. */
  readInWords(): boolean;
  /** Searches one batch of the indexed runs. */
  found(query: WordsQuery): FoundRuns;
}

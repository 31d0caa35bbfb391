import { setImmediate as breathe } from 'node:timers/promises';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Journal } from '../../core/workflows/engine/engine-ports.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import { createRunQueries, type RunQueries } from '../../core/workflows/views/run-queries.ts';
import { say } from '../../language/say.ts';
import { openWorkflowJournal, type WorkflowJournal } from '../../services/db/workflow-journal.ts';
import { createJournalPieces } from '../../services/workflows/journal-file.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import {
  createPendingNotifications,
  type PendingNotifications,
  type PendingNotificationsDeps,
} from './pending-notifications.ts';

export interface RunRecordsDeps {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly watchStore: WatchStore;
  readonly post: PendingNotificationsDeps['post'];
  /** The task of an `agent` step, by the step's key; `null` if it has none. */
  taskOf(key: string): number | null;
}

/** The journal of all runs, with its queries and the notifications that follow from it. */
export interface RunRecords {
  readonly journal: WorkflowJournal;
  readonly book: RunQueries;
  /** The exported history of a run in pieces. */
  readonly pieces: ReturnType<typeof createJournalPieces>;
  readonly words: PendingNotifications;
  isOver(run: string): boolean;
  /** Title of a run, or its id. */
  nameOf(run: string): string;
  release(): void;
}

/** `onWritten` is called after each write to the journal. Needs an open vault. */
export function openRunRecords(
  { path, clock, log, watchStore, post, taskOf }: RunRecordsDeps,
  parts: Pick<OpenParts, 'keys' | 'crypto'>,
  onWritten: (run: string, isOver: () => boolean) => void,
): Result<RunRecords> {
  const key = parts.keys.storeKey(path);
  if (!key.ok) return key;
  const opened = openWorkflowJournal({
    path,
    key: key.value,
    clock,
    log,
    ...watchStore(say('storage.workflowRuns')),
  });
  if (!opened.ok) return opened;
  const file = opened.value;
  const words = createPendingNotifications({
    crypto: parts.crypto,
    now: clock.now,
    run: (id) => file.run(id),
    answered: (id) => [...book.live(id).state.gates.values()].some(({ by }) => by !== null),
    post,
  });
  const isOver = (run: string): boolean => isFinished(file.run(run)?.status ?? 'running');
  const watched = watchedJournal(file, (run) => {
    words.changed(run);
    onWritten(run, () => isOver(run));
  });
  const journal: WorkflowJournal = {
    ...watched,
    archive(ids, archived, now) {
      const done = file.archive(ids, archived, now);
      if (done.ok) for (const run of ids) onWritten(run, () => isOver(run));
      return done;
    },
  };
  const book = createRunQueries({ journal, sha256, breathe, taskOf });
  const nameOf = (run: string): string => {
    const row = journal.run(run);
    return row ? book.name(row) : run;
  };
  const pieces = createJournalPieces(journal);
  return ok({ journal, book, pieces, words, isOver, nameOf, release: file.release });
}

function watchedJournal<J extends Journal>(journal: J, onWritten: (run: string) => void): J {
  return {
    ...journal,
    create(run) {
      const row = journal.create(run);
      onWritten(row.id);
      if (run.tells) onWritten(run.tells.run);
      return row;
    },
    append(write) {
      const done = journal.append(write);
      if (done.ok) onWritten(write.run);
      return done;
    },
  };
}

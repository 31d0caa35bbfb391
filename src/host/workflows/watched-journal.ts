import type { Journal } from '../../core/workflows/engine/engine-ports.ts';

export function watchedJournal<J extends Journal>(journal: J, onWritten: (run: string) => void): J {
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

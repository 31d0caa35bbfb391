/** Runs jobs in parallel within the available cores, and keeps their output separate. */

/**
 * A job starts when the jobs in `after` are done, every job before it has started, and its `cost` (cores, or
 * 'all') is free.
 * Resolves when all are done; `run` must not reject.
 * @template {{ name: string, cost: number | 'all', after?: readonly string[] }} Job
 * @param {readonly Job[]} jobs @param {number} cores @param {(job: Job) => Promise<void>} run
 * @returns {Promise<void>}
 */
export function runScheduled(jobs, cores, run) {
  const waiting = [...jobs];
  const done = new Set();
  const names = new Set(jobs.map(({ name }) => name));
  const costOf = ({ cost }) => (cost === 'all' ? cores : Math.min(cost, cores));
  let free = cores;
  return new Promise((resolve) => {
    const isReady = (job) =>
      costOf(job) <= free && (job.after ?? []).every((name) => done.has(name) || !names.has(name));
    const next = () => {
      if (done.size === jobs.length) return resolve();
      while (waiting.length > 0 && isReady(waiting[0])) {
        const job = waiting.shift();
        free -= costOf(job);
        run(job).then(() => {
          done.add(job.name);
          free += costOf(job);
          next();
        });
      }
    };
    next();
  });
}

/**
 * Buffers the output of parallel jobs: the first job's output appears at once, that of a later one after all
 * earlier jobs have ended.
 * @param {(text: string | Uint8Array) => void} write
 */
export function createOrderedOutput(write) {
  const open = [];
  const flush = () => {
    while (open.length > 0) {
      for (const piece of open[0].pieces.splice(0)) write(piece);
      if (!open[0].ended) return;
      open.shift();
    }
  };
  return {
    open() {
      const job = { pieces: [], ended: false };
      open.push(job);
      return {
        /** @param {string | Uint8Array} piece */
        write(piece) {
          job.pieces.push(piece);
          flush();
        },
        end() {
          job.ended = true;
          flush();
        },
      };
    },
  };
}

import type { ImageJob } from '../../contract/container-images.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { ImageFollower } from '../../services/executors/container-images.ts';

/** Lines that are kept. */
const keptLines = 40;
/** ms that `wait` waits at most. */
const waitMs = 20_000;
const maxLineLength = 300;

/** Makes one image at a time, and tells how far it is. */
export interface ImageJobs {
  latest(): ImageJob | null;
  begin(
    what: Pick<ImageJob, 'image' | 'action'>,
    work: (follower: ImageFollower) => Promise<Result<unknown>>,
  ): Result<ImageJob>;
  wait(seen: number): Promise<ImageJob | null>;
  stop(): void;
}

export function createImageJobs(clock: Clock): ImageJobs {
  let job: ImageJob | null = null;
  let abort = new AbortController();
  let rest = '';
  const waiting = new Set<() => void>();
  const change = (next: ImageJob): void => {
    job = next;
    for (const wake of waiting) wake();
  };
  const read = (text: string): void => {
    const parts = (rest + text).split(/[\r\n]+/);
    rest = parts.pop() ?? '';
    const lines = parts.map((line) => line.trim().slice(0, maxLineLength)).filter((line) => line !== '');
    if (job && lines.length > 0)
      change({
        ...job,
        lines: [...job.lines, ...lines].slice(-keptLines),
        lineCount: job.lineCount + lines.length,
      });
  };
  return {
    latest: () => job,
    begin(what, work) {
      if (job?.state === 'running') return err(fail('conflict', 'container.jobRuns', { image: job.image }));
      rest = '';
      abort = new AbortController();
      const begun: ImageJob = { ...what, state: 'running', lines: [], lineCount: 0, error: null };
      job = begun;
      void work({ signal: abort.signal, onOutput: read }).then((result) => {
        read('\n');
        if (job)
          change({ ...job, state: result.ok ? 'done' : 'failed', error: result.ok ? null : result.error });
      });
      return ok(begun);
    },
    async wait(seen) {
      if (job?.state === 'running' && job.lineCount <= seen) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            timer.cancel();
            waiting.delete(wake);
            resolve();
          };
          const timer = clock.after(waitMs, wake, { unref: true });
          waiting.add(wake);
        });
      }
      return job;
    },
    stop: () => abort.abort(),
  };
}

import type { Clock, Log } from '../../core/ports.ts';

/** ms that running steps of workflows and tasks have to finish when the host stops. */
export const stepGraceMs = 10_000;

export interface FinishStepsDeps {
  readonly schedules: { stop(): Promise<void> };
  readonly workflows: { leave(): Promise<unknown> };
  readonly tasks: { leave(): Promise<unknown> };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * First step of a shutdown: starts nothing new and waits for running steps, so that a `once` step is not cut
 * off and asked about. Returns when all ended, at the deadline, or when `now` aborts.
 */
export async function finishSteps(
  { schedules, workflows, tasks, clock, log }: FinishStepsDeps,
  now: AbortSignal,
): Promise<void> {
  const ended = Promise.all([schedules.stop(), workflows.leave(), tasks.leave()]).then(
    () => 'ended' as const,
    (error: unknown) => {
      log.error('steps_not_left', { error });
      return 'ended' as const;
    },
  );
  let lift = (): void => undefined;
  const cut = new Promise<'cut'>((resolve) => {
    const timer = clock.after(stepGraceMs, () => resolve('cut'), { unref: true });
    const atOnce = (): void => resolve('cut');
    if (now.aborted) atOnce();
    now.addEventListener('abort', atOnce, { once: true });
    lift = () => {
      timer.cancel();
      now.removeEventListener('abort', atOnce);
    };
  });
  if ((await Promise.race([ended, cut])) === 'cut') log.info('steps_cut_off', {});
  lift();
}

import type { HostContext } from './context.ts';

/** ms that steps of workflows and tasks have, when the host stops, to come to their end. */
export const stepGraceMs = 10_000;

/**
 * The first thing when the host stops: nothing begins any more, and the end of what is at work is waited for, so that a step
 * which may happen only once is not cut off and asked about. Until all have ended, the time is over, or somebody wants it now.
 */
export async function finishSteps(
  { schedules, workflows, tasks, ports }: Pick<HostContext, 'schedules' | 'workflows' | 'tasks' | 'ports'>,
  now: AbortSignal,
): Promise<void> {
  const { clock, log } = ports;
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

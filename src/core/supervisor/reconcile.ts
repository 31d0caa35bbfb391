/**
 * Compares desired and running agents and returns the actions that align them (spec §6.1). Pure, without
 * effects.
 */

export interface DesiredAgent<Config> {
  readonly id: string;
  /** `idle_unconfigured`: `puffo_core` is not configured, so the agent has no server. */
  readonly wish: 'run' | 'pause' | 'idle_unconfigured';
  /** Text of everything that only a restart can change; a different text restarts. */
  readonly restartKey: string;
  readonly config: Config;
}

export interface ActualAgent<Config> {
  readonly id: string;
  /**
   * `down`: not running, nothing planned; `waiting`: failed, a restart is due later; `gave_up`: the restart
   * budget is spent.
   */
  readonly phase: 'down' | 'starting' | 'running' | 'waiting' | 'gave_up';
  /** Key of the last start; `null` if never started. */
  readonly restartKey: string | null;
  readonly config: Config | null;
}

export type ReconcileAction<Config> =
  | { readonly type: 'start'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'restart'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'update'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'stop'; readonly id: string; readonly why: 'gone' | 'paused' | 'unconfigured' }
  | { readonly type: 'leave'; readonly id: string };

/**
 * One action per agent, in order of their ids. A changed config alone is only passed on; a new `restartKey`
 * restarts, also an agent that gave up, because the change may fix the fault.
 */
export function reconcile<Config>(
  desired: readonly DesiredAgent<Config>[],
  actual: readonly ActualAgent<Config>[],
): readonly ReconcileAction<Config>[] {
  const wanted = new Map(desired.map((agent) => [agent.id, agent]));
  const present = new Map(actual.map((agent) => [agent.id, agent]));
  const ids = [...new Set([...wanted.keys(), ...present.keys()])].toSorted();
  return ids.map((id) => actionFor(id, wanted.get(id), present.get(id)));
}

function actionFor<Config>(
  id: string,
  desired: DesiredAgent<Config> | undefined,
  actual: ActualAgent<Config> | undefined,
): ReconcileAction<Config> {
  if (!desired) return { type: 'stop', id, why: 'gone' };
  if (desired.wish !== 'run') {
    const why = desired.wish === 'pause' ? 'paused' : 'unconfigured';
    return actual && actual.phase !== 'down' ? { type: 'stop', id, why } : { type: 'leave', id };
  }
  if (!actual || actual.phase === 'down') return { type: 'start', id, desired };
  if (actual.restartKey !== desired.restartKey) return { type: 'restart', id, desired };
  if (actual.config !== desired.config) return { type: 'update', id, desired };
  return { type: 'leave', id };
}

/** What has to happen so that the agents that run are those that should (spec §6.1): a pure comparison, no effects. */

export interface DesiredAgent<Config> {
  readonly id: string;
  /** `idle_unconfigured`: `puffo_core` is not filled in, so there is nothing to connect to. */
  readonly wish: 'run' | 'pause' | 'idle_unconfigured';
  /** Everything that only a restart can change, as one comparable text. */
  readonly restartKey: string;
  readonly config: Config;
}

export interface ActualAgent<Config> {
  readonly id: string;
  /** `down`: not running and nothing is planned; `waiting`: failed, a start is due later; `gave_up`: the budget is spent. */
  readonly phase: 'down' | 'starting' | 'running' | 'waiting' | 'gave_up';
  /** What it was last started with; null when it never was. */
  readonly restartKey: string | null;
  readonly config: Config | null;
}

export type Action<Config> =
  | { readonly type: 'start'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'restart'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'update'; readonly id: string; readonly desired: DesiredAgent<Config> }
  | { readonly type: 'stop'; readonly id: string; readonly why: 'gone' | 'paused' | 'unconfigured' }
  | { readonly type: 'leave'; readonly id: string };

/**
 * One action per agent, agents in order of their ids. A config that differs is only handed on; another `restartKey`
 * restarts, and also wakes an agent that gave up, because the change may be the cure.
 */
export function reconcile<Config>(
  desired: readonly DesiredAgent<Config>[],
  actual: readonly ActualAgent<Config>[],
): readonly Action<Config>[] {
  const wanted = new Map(desired.map((agent) => [agent.id, agent]));
  const present = new Map(actual.map((agent) => [agent.id, agent]));
  const ids = [...new Set([...wanted.keys(), ...present.keys()])].toSorted();
  return ids.map((id) => actionFor(id, wanted.get(id), present.get(id)));
}

function actionFor<Config>(
  id: string,
  desired: DesiredAgent<Config> | undefined,
  actual: ActualAgent<Config> | undefined,
): Action<Config> {
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

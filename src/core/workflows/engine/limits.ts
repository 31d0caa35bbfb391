/**
 * Limits of time and money for a step, a block and the whole run. Time spent waiting for people does not
 * count.
 */

import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { usedUpSum } from '../../models/usage.ts';
import { type Halt, haltOf, type RunContext, type StepFrame } from './run-context.ts';
import type { RunState } from './run-state.ts';

export interface Limit {
  readonly signal: AbortSignal;
  /** Removes the limit with its timers and listeners. */
  lift(): void;
}

interface Link extends Limit {
  halt(reason: Halt): void;
}

function activeMs(state: RunState, now: number): number {
  const current = state.runningSteps > 0 ? Math.max(0, now - state.activeSince) : 0;
  return state.activeMs + current;
}

/** Returns a signal that follows another one and can also be aborted by itself. */
export function linked(outer: AbortSignal): Link {
  const inner = new AbortController();
  const follow = (): void => inner.abort(haltOf(outer));
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: inner.signal,
    halt: (reason) => inner.abort(reason),
    lift: () => outer.removeEventListener('abort', follow),
  };
}

/** Aborts the running step as soon as the program begins to leave; the returned function undoes that. */
function left({ leaving }: Pick<RunContext, 'leaving'>, link: Link): () => void {
  const leave = (): void => link.halt({ why: 'stop' });
  if (leaving?.aborted) leave();
  leaving?.addEventListener('abort', leave, { once: true });
  return () => leaving?.removeEventListener('abort', leave);
}

export interface StepLimits {
  readonly timeoutMs: number | null;
  /** Id of the step. */
  readonly step: string;
  /** Its work continues elsewhere and is found again, so it does not delay a program that leaves. */
  readonly leaves: boolean;
}

/** Aborts after the step's own limit, or when the time of the whole run is used up. */
export function limited(run: RunContext, frame: StepFrame, { timeoutMs, step, leaves }: StepLimits): Limit {
  const { clock } = run.ports;
  const whole = run.root.timeoutMs;
  const rest = whole === null ? null : whole - activeMs(run.log.state, clock.now());
  const own = timeoutMs !== null && (rest === null || timeoutMs <= rest);
  const ms = own ? timeoutMs : rest;
  if (ms === null && !leaves) return { signal: frame.signal, lift: () => undefined };
  const link = linked(frame.signal);
  const message = own
    ? say('workflows.stepTimedOut', { step, ms: timeoutMs })
    : say('workflows.runTimedOut', { ms: whole ?? 0 });
  const late = (): void => link.halt({ why: 'deadline', message });
  const timer = ms === null ? null : clock.after(Math.max(0, ms), late);
  const stay = leaves ? left(run, link) : null;
  const lift = (): void => {
    timer?.cancel();
    stay?.();
    link.lift();
  };
  return { signal: link.signal, lift };
}

/** Message if no further step may start; `null` if one may. A limit that only warns does so once. */
export function spent(run: RunContext): HostText | null {
  const { log, root, ports } = run;
  const whole = root.timeoutMs;
  if (whole !== null && activeMs(log.state, ports.clock.now()) >= whole) {
    return say('workflows.runTimedOut', { ms: whole });
  }
  const limit = root.costLimit;
  const over = limit && runLimitReason(log.state, limit.maxUsd);
  if (!over) return null;
  if (limit.action === 'stop') return over;
  if (!log.state.costWarned) log.write([{ type: 'cost_warned', usd: log.state.costUsd }]);
  return null;
}

/** Tokens without a price exceed any limit. */
function runLimitReason({ costUsd, simulatedUsd, unpriced }: RunState, maxUsd: number): HostText | null {
  const sum = usedUpSum({ usd: costUsd, simulatedUsd }, maxUsd);
  if (sum === 'usd') return say('workflows.runCost', { cost: costUsd.toFixed(4), limit: maxUsd });
  if (sum === 'simulatedUsd')
    return say('workflows.runSimulatedCost', { cost: simulatedUsd.toFixed(4), limit: maxUsd });
  if (unpriced === 0) return null;
  return say('workflows.runPriceUnknown', { limit: maxUsd, n: unpriced });
}

/** How a walk over a part of a run ends, what it walks in, and the bell that wakes branches which stand still. */
import {
  type Json,
  placeOf,
  type Scope,
  type Step,
  type StepResult,
  type WorkflowDefinition,
} from '../file/definition.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { FailureCode } from './events.ts';
import type { RunLog } from './run-log.ts';

export type Walked =
  /** `result` null: nothing was run at all. */
  | { readonly type: 'done'; readonly result: StepResult | null }
  /** Waits for a person, or for a time (ms since the epoch). */
  | { readonly type: 'parked'; readonly wakeAt: number | null }
  | { readonly type: 'failed'; readonly code: FailureCode; readonly message: string }
  /** The rest of this list is left out; the run goes on behind it. */
  | { readonly type: 'skip_rest'; readonly result: StepResult }
  | { readonly type: 'cancelled'; readonly message: string | null }
  /** This program stops; the run goes on another time. */
  | { readonly type: 'stopped' };

/** Why a signal of the engine aborted. */
export type Halt =
  | { readonly why: 'stop' }
  | { readonly why: 'cancel' }
  /** Another branch was first. */
  | { readonly why: 'lost' }
  | { readonly why: 'deadline'; readonly message: string };

export function haltOf(signal: AbortSignal): Halt {
  const reason: unknown = signal.reason;
  const known = typeof reason === 'object' && reason !== null && 'why' in reason;
  return known ? (reason as Halt) : { why: 'stop' };
}

interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

function createLatch(): Latch {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A place where everybody may wait for the next ring. */
export interface Bell {
  ring(): void;
  /** How often it rang: who was busy meanwhile can tell that something happened. */
  rings(): number;
  next(): Promise<void>;
}

export function createBell(): Bell {
  let waiting = createLatch();
  let count = 0;
  return {
    rings: () => count,
    ring() {
      count += 1;
      waiting.open();
      waiting = createLatch();
    },
    next: () => waiting.opened,
  };
}

export interface RunContext {
  readonly ports: EnginePorts;
  readonly log: RunLog;
  readonly bell: Bell;
  /** The definition that the run began with; its limits are those of the whole run. */
  readonly root: WorkflowDefinition;
  /** Tokens of open gates that this program made, by gate; nowhere else is one known. */
  readonly tokens: Map<string, string>;
  /** Aborted when no step may begin any more; those at work come to their end. */
  readonly leaving: AbortSignal | null;
}

/** Where a walk is: in which definition, in which rounds of which loops, and what it can see. */
export interface Frame {
  readonly prefix: string;
  readonly definition: WorkflowDefinition;
  readonly definitionHash: string;
  readonly args: { readonly [name: string]: Json };
  readonly indexes: readonly number[];
  readonly loop: { readonly [name: string]: Json };
  readonly results: Map<string, StepResult>;
  readonly signal: AbortSignal;
  readonly depth: number;
}

export const placeIn = (frame: Pick<Frame, 'prefix' | 'indexes'>, step: Step): string =>
  `${frame.prefix}${placeOf(step.path, frame.indexes)}`;

/** `fromEntries` defines own fields, so that a step called `constructor` is a step. */
export const scopeOf = (frame: Frame): Scope => ({
  args: frame.args,
  steps: Object.fromEntries(frame.results),
  loop: frame.loop,
});

export const failure = (message: string, code: FailureCode = 'failed'): Walked => ({
  type: 'failed',
  code,
  message,
});

/** Resolves at the ring, at the time, or when the signal aborts; leaves no timer behind. */
export async function waitFor(
  { ports, bell }: Pick<RunContext, 'ports' | 'bell'>,
  wakeAt: number | null,
  signal: AbortSignal,
  also: readonly Promise<unknown>[] = [],
): Promise<void> {
  if (signal.aborted) return;
  const aborted = createLatch();
  const onAbort = aborted.open;
  signal.addEventListener('abort', onAbort, { once: true });
  const timed = createLatch();
  const delay = wakeAt === null ? null : Math.max(0, wakeAt - ports.clock.now());
  const timer = delay === null ? null : ports.clock.after(delay, timed.open);
  await Promise.race([bell.next(), aborted.opened, ...(timer ? [timed.opened] : []), ...also]);
  timer?.cancel();
  signal.removeEventListener('abort', onAbort);
}

/** Outcome of running a part of a run, its context, and the broadcast that wakes parked branches. */
import type { HostText } from '../../../language/host-message.ts';
import {
  type Json,
  type Step,
  type StepResult,
  stepPlace,
  type TemplateScope,
  type WorkflowDefinition,
} from '../file/definition.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { FailureCode } from './events.ts';
import type { RunLog } from './run-log.ts';

export type Walked =
  /** `result`: `null` if nothing ran. */
  | { readonly type: 'done'; readonly result: StepResult | null }
  /** Waits for a person, or until `wakeAt` (ms since the epoch). */
  | { readonly type: 'parked'; readonly wakeAt: number | null }
  | { readonly type: 'failed'; readonly code: FailureCode; readonly message: HostText }
  /** Skips the rest of this list; the run continues after it. */
  | { readonly type: 'skip_rest'; readonly result: StepResult }
  | { readonly type: 'cancelled'; readonly message: HostText | null }
  /** This program stops; the run resumes later. */
  | { readonly type: 'stopped' };

/** Abort reason of a signal of the engine. */
export type Halt =
  | { readonly why: 'stop' }
  | { readonly why: 'cancel' }
  /** Another branch won the race. */
  | { readonly why: 'lost' }
  | { readonly why: 'deadline'; readonly message: HostText };

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

/** Wakes every waiter at the next notification. */
export interface Broadcast {
  notify(): void;
  /** Number of notifications, so that a busy branch can detect a missed one. */
  count(): number;
  next(): Promise<void>;
}

export function createBroadcast(): Broadcast {
  let waiting = createLatch();
  let count = 0;
  return {
    count: () => count,
    notify() {
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
  readonly broadcast: Broadcast;
  /** Definition that the run started with; its limits apply to the whole run. */
  readonly root: WorkflowDefinition;
  /** Tokens of open gates that this program issued, by gate; the journal keeps only their hashes. */
  readonly tokens: Map<string, string>;
  /** Aborted when no step may start any more; running steps finish. */
  readonly leaving: AbortSignal | null;
}

/** Position in a run: the definition, the rounds of enclosing loops, and the visible results. */
export interface StepFrame {
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

export const placeInRun = (frame: Pick<StepFrame, 'prefix' | 'indexes'>, step: Step): string =>
  `${frame.prefix}${stepPlace(step.path, frame.indexes)}`;

/** `fromEntries` defines own properties, so a step named `constructor` works. */
export const scopeOf = (frame: StepFrame): TemplateScope => ({
  args: frame.args,
  steps: Object.fromEntries(frame.results),
  loop: frame.loop,
});

export const stepFailure = (message: HostText, code: FailureCode = 'failed'): Walked => ({
  type: 'failed',
  code,
  message,
});

/** Resolves at a notification, at `wakeAt`, or when the signal aborts; leaves no timer behind. */
export async function waitFor(
  { ports, broadcast }: Pick<RunContext, 'ports' | 'broadcast'>,
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
  await Promise.race([broadcast.next(), aborted.opened, ...(timer ? [timed.opened] : []), ...also]);
  timer?.cancel();
  signal.removeEventListener('abort', onAbort);
}

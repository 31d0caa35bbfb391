/** Runs one turn on a runtime that may throw, misbehave or never end, and returns exactly one result. */

import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { HostText } from '../../language/host-message.ts';
import { raceAgainst } from '../lib/sleep.ts';
import { StoreError } from '../lib/store-error.ts';
import type { TranscriptMessage } from '../models/messages.ts';
import type { Clock, Log } from '../ports.ts';
import type { RuntimeEvent, RuntimePort, TurnAbort, TurnInput } from './runtime-port.ts';

interface Ended {
  readonly transcript: readonly TranscriptMessage[];
}

export type TurnResult =
  | (Ended & {
      readonly type: 'finished';
      readonly parts: readonly string[];
      readonly messageSent: boolean;
      readonly sentAs: string | null;
      readonly withheld: HostText | null;
    })
  | (Ended & { readonly type: 'failed'; readonly error: AppError; readonly partialText: string })
  /** By the operator: the turn is over. */
  | (Ended & { readonly type: 'stopped' })
  /** By the host: the turn resumes at the next start. */
  | { readonly type: 'interrupted' };

export type TurnEvent = Exclude<RuntimeEvent, { type: 'turn_done' | 'turn_failed' }>;

export interface TurnRun {
  readonly runtime: RuntimePort;
  readonly turn: TurnInput;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: TurnEvent) => void;
  /** Whether a person is being asked; no events arrive during that time. */
  away(): boolean;
}

/** ms without any event; longer than every legitimate pause of a runtime. */
const silenceMs = 25 * 3_600_000;
/** ms for a stopped turn to report how its calls ended. */
const stopGraceMs = 10_000;
const maxText = 1_000_000;

const reasonOf = (signal: AbortSignal): TurnAbort =>
  signal.reason === 'stopped' ? 'stopped' : 'interrupted';

/** Throws the `StoreError` of a runtime that could not record its actions. */
export async function runTurn(run: TurnRun): Promise<TurnResult> {
  const heard = { text: '' };
  try {
    return await listen(run, heard);
  } catch (error) {
    if (run.signal.aborted && reasonOf(run.signal) === 'interrupted') return { type: 'interrupted' };
    if (error instanceof StoreError) throw error;
    if (run.signal.aborted) return { type: 'stopped', transcript: [] };
    run.log.error('runtime_threw', { turnId: run.turn.turnId, error: String(error) });
    return broken(fail('internal', 'turns.runtimeFailed'), heard.text);
  }
}

async function listen(run: TurnRun, heard: { text: string }): Promise<TurnResult> {
  const inner = new AbortController();
  const abort = (): void => inner.abort(reasonOf(run.signal));
  run.signal.addEventListener('abort', abort, { once: true });
  if (run.signal.aborted) abort();
  const stream = run.runtime.run(run.turn, inner.signal)[Symbol.asyncIterator]();
  let next = stream.next();
  try {
    for (;;) {
      const raced = await heardNext(run, next);
      if (raced.type === 'interrupted' || raced.type === 'stopped') return raced;
      if (raced.type === 'silent') {
        if (run.away()) continue;
        return broken(fail('timeout', 'turns.runtimeFellSilent'), heard.text);
      }
      if (raced.event === null) {
        const error = fail('internal', 'turns.runtimeGaveNoOutcome');
        return broken(error, heard.text);
      }
      const result = take(run, raced.event, heard);
      if (result) return result;
      next = stream.next();
    }
  } finally {
    run.signal.removeEventListener('abort', abort);
    // The rest of the run must not record anything any more.
    inner.abort('interrupted' satisfies TurnAbort);
    next.catch(() => undefined);
    Promise.resolve(stream.return?.()).catch(() => undefined);
  }
}

type Heard =
  | { readonly type: 'event'; readonly event: RuntimeEvent | null }
  | { readonly type: 'silent' }
  | Extract<TurnResult, { type: 'interrupted' | 'stopped' }>;

const stopped: Heard = { type: 'stopped', transcript: [] };
const neverAborted = new AbortController().signal;

/** A stopped turn has a grace period to report its end; an interrupted one is abandoned at once. */
async function heardNext(run: TurnRun, next: Promise<IteratorResult<RuntimeEvent>>): Promise<Heard> {
  const { clock, signal } = run;
  if (!signal.aborted) {
    const raced = await raceAgainst(next, clock, silenceMs, signal);
    if (raced.type === 'timeout') return { type: 'silent' };
    if (raced.type === 'value' && !raced.value.done) return { type: 'event', event: raced.value.value };
    if (raced.type === 'value' && !signal.aborted) return { type: 'event', event: null };
  }
  if (reasonOf(signal) === 'interrupted') return { type: 'interrupted' };
  const raced = await raceAgainst(next, clock, stopGraceMs, neverAborted);
  if (raced.type !== 'value' || raced.value.done) return stopped;
  return { type: 'event', event: raced.value.value };
}

function take(run: TurnRun, event: RuntimeEvent, heard: { text: string }): TurnResult | null {
  switch (event.type) {
    case 'text_delta':
      heard.text += event.text;
      if (heard.text.length > maxText) {
        return broken(fail('too_large', 'turns.replyTooLarge'), heard.text.slice(0, 4_000));
      }
      run.onEvent(event);
      return null;
    case 'retrying':
    case 'text_void':
      heard.text = '';
      run.onEvent(event);
      return null;
    case 'step':
    case 'model_called':
      run.onEvent(event);
      return null;
    case 'turn_done': {
      const { parts, messageSent, transcript, sentAs = null, withheld = null } = event;
      // The operator was told that the turn is stopped, so a reply that arrives in the same moment is not
      // sent.
      if (run.signal.aborted && reasonOf(run.signal) === 'stopped') return { type: 'stopped', transcript };
      return { type: 'finished', parts, messageSent, sentAs, withheld, transcript };
    }
    case 'turn_failed': {
      const { error, partialText, transcript } = event;
      if (run.signal.aborted) {
        return reasonOf(run.signal) === 'stopped' ? { type: 'stopped', transcript } : { type: 'interrupted' };
      }
      return { type: 'failed', error, partialText, transcript };
    }
  }
}

const broken = (error: AppError, partialText: string): TurnResult => ({
  type: 'failed',
  error,
  partialText,
  transcript: [],
});

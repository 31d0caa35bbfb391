/** Runs one turn on a runtime that may throw, lie or never end, and comes back with exactly one result. */
import { type AppError, appError } from '../../contract/errors.ts';
import { raceAgainst } from '../lib/sleep.ts';
import type { Clock, Log, RuntimeEvent, RuntimePort, TurnInput } from '../ports.ts';

export type TurnResult =
  | { readonly type: 'finished'; readonly parts: readonly string[]; readonly messageSent: boolean }
  | { readonly type: 'failed'; readonly error: AppError; readonly partialText: string }
  | { readonly type: 'interrupted' };

export interface TurnRun {
  readonly runtime: RuntimePort;
  readonly turn: TurnInput;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: Extract<RuntimeEvent, { type: 'text_delta' | 'retrying' }>) => void;
}

/** ms without any event; beyond every pause that a runtime may rightly take. */
const silenceMs = 25 * 3_600_000;
const maxText = 1_000_000;

export async function runTurn(run: TurnRun): Promise<TurnResult> {
  const heard = { text: '' };
  try {
    return await listen(run, heard);
  } catch (error) {
    if (run.signal.aborted) return { type: 'interrupted' };
    run.log.error('runtime_threw', { turnId: run.turn.turnId, error: String(error) });
    return broken(appError('internal', 'The runtime failed unexpectedly.'), heard.text);
  }
}

async function listen(run: TurnRun, heard: { text: string }): Promise<TurnResult> {
  const inner = new AbortController();
  const abort = (): void => inner.abort();
  run.signal.addEventListener('abort', abort, { once: true });
  const stream = run.runtime.run(run.turn, inner.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await raceAgainst(stream.next(), run.clock, silenceMs, run.signal);
      if (next.type === 'aborted') return { type: 'interrupted' };
      if (next.type === 'timeout') return broken(appError('timeout', 'The runtime fell silent.'), heard.text);
      if (next.value.done) {
        const error = appError('internal', 'The runtime ended without saying how the turn went.');
        return broken(error, heard.text);
      }
      const result = take(run, next.value.value, heard);
      if (result) return result;
    }
  } finally {
    run.signal.removeEventListener('abort', abort);
    inner.abort();
    Promise.resolve(stream.return?.()).catch(() => undefined);
  }
}

function take(run: TurnRun, event: RuntimeEvent, heard: { text: string }): TurnResult | null {
  switch (event.type) {
    case 'text_delta':
      heard.text += event.text;
      if (heard.text.length > maxText) {
        return broken(
          appError('too_large', 'The reply grew beyond every limit.'),
          heard.text.slice(0, 4_000),
        );
      }
      run.onEvent(event);
      return null;
    case 'retrying':
      heard.text = '';
      run.onEvent(event);
      return null;
    case 'usage':
      return null;
    case 'turn_done':
      return { type: 'finished', parts: event.parts, messageSent: event.messageSent };
    case 'turn_failed':
      if (run.signal.aborted) return { type: 'interrupted' };
      return broken(event.error, event.partialText);
  }
}

const broken = (error: AppError, partialText: string): TurnResult => ({ type: 'failed', error, partialText });

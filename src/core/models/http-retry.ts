/**
 * Lowest of three retry levels (above it: the run's, and compaction of a conversation that does not fit). A
 * request that failed before any content is repeated after at most half a second, then one. Waits that a
 * server requests belong to the gate, which all agents share (F11).
 */
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import type { Clock, Random } from '../ports.ts';
import type { ModelEvent, ModelPort } from './model-ports.ts';

export interface HttpRetryDeps {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
}

const policy: BackoffPolicy = { firstMs: 500, maxMs: 8_000 };
const tries = 3;

export function withHttpRetry(model: ModelPort, deps: HttpRetryDeps): ModelPort {
  const ask = async function* (...request: Parameters<ModelPort['stream']>): AsyncGenerator<ModelEvent> {
    const signal = request[3];
    for (let attempt = 1; ; attempt += 1) {
      const again = yield* once(model.stream(...request), attempt < tries && !signal.aborted);
      if (!again) return;
      await sleep(deps.clock, backoffMs(policy, attempt - 1, deps.random.fraction()), signal);
    }
  };
  return { api: model.api, stream: ask };
}

/** Passes a stream on; true if it failed transiently before any event was passed on. */
async function* once(
  events: AsyncIterable<ModelEvent>,
  mayRepeat: boolean,
): AsyncGenerator<ModelEvent, boolean> {
  let start: ModelEvent | null = null;
  let said = false;
  for await (const event of events) {
    if (event.type === 'start') {
      start = event;
      continue;
    }
    if (mayRepeat && !said && goesBy(event)) return true;
    if (start) yield start;
    start = null;
    said = true;
    yield event;
  }
  return false;
}

/** Transient, without a requested wait and without cost. */
function goesBy(event: ModelEvent): boolean {
  if (event.type !== 'error' || event.reason === 'aborted') return false;
  const { failure, message } = event;
  const free = message.usage.totalTokens === 0;
  return (
    free && failure.retryable && failure.retryAfterMs === undefined && failure.error.code === 'unavailable'
  );
}

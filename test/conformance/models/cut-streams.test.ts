import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../../../src/core/models/messages.ts';
import type { ModelEvent } from '../../../src/core/models/model-ports.ts';
import { createSeededRandom } from '../../fakes/seeded-random.ts';
import { pickSome, proof, seed } from '../../fakes/test-run.ts';
import { callsOf, ending, textOf } from './adapter-under-test.ts';
import { broken } from './grammar.ts';
import { recordings, replay } from './recordings.ts';

/** Call ids that the provider omitted are generated anew each time; usage may follow the end. */
const comparable = (message: AssistantMessage): unknown =>
  JSON.parse(JSON.stringify({ ...message, usage: null }).replaceAll(/"call_[0-9a-f-]{36}"/g, '"made-up"'));

const deltas = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text_delta' ? event.delta : '')).join('');

const sampled = 120;

/**
 * Positions of the cut: every byte in a proof run, otherwise both ends and random bytes of the run's seed.
 */
function cutsOf({ length }: Uint8Array): readonly number[] {
  const every = Array.from({ length: length + 1 }, (_, at) => at);
  if (proof) return every;
  const some = new Set(pickSome(every, sampled - 4, createSeededRandom(seed).fraction));
  return every.filter((at) => some.has(at) || at < 2 || at > length - 2);
}

/** Difference of a cut stream from the whole one; `null` if it is correct. */
function wrongWith(events: readonly ModelEvent[], whole: AssistantMessage): string | null {
  const faults = broken(events);
  if (faults.length > 0) return faults.join(', ');
  const message = ending(events);
  if (message.stopReason !== 'error')
    return isDeepStrictEqual(comparable(message), comparable(whole)) ? null : 'done, but not whole';
  const text = textOf(message);
  if (!textOf(whole).startsWith(text)) return 'text that was never sent';
  if (text !== deltas(events)) return 'text was lost';
  const calls = callsOf(whole);
  const half = callsOf(message).some(
    (call, at) => !call.argumentsError && !isDeepStrictEqual(call.arguments, calls[at]?.arguments),
  );
  return half ? 'half a call could run' : null;
}

describe('F13 Recorded streams', () => {
  it('comprise at least twenty recordings', () => expect(recordings.length).toBeGreaterThanOrEqual(20));

  it.each(recordings)(
    `$name: keeps the text received before a clean or broken end at ${proof ? 'every byte' : `${sampled} bytes`}`,
    async ({ adapter, bytes }) => {
      const whole = ending(await replay(adapter, [bytes], 'close'));
      const wrong: string[] = [];
      for (const end of ['close', 'break'] as const) {
        let kept = 0;
        for (const cut of cutsOf(bytes)) {
          const events = await replay(adapter, [bytes.subarray(0, cut)], end);
          const fault = wrongWith(events, whole);
          const length = textOf(ending(events)).length;
          if (fault !== null) wrong.push(`${end} at ${cut}: ${fault}`);
          if (length < kept) wrong.push(`${end} at ${cut}: kept less than before`);
          kept = length;
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
    },
    120_000,
  );

  it.each(recordings)(
    '$name: gives the same message byte by byte as in one chunk',
    async ({ adapter, bytes }) => {
      const whole = ending(await replay(adapter, [bytes], 'close'));
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      const message = ending(await replay(adapter, pieces, 'close'));
      expect(comparable(message)).toEqual(comparable(whole));
      expect(message.usage).toEqual(whole.usage);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../test/fakes/virtual-clock.ts';
import { ProgramTurnEnd } from './turn-end.ts';

function turn() {
  const clock = createVirtualClock();
  const seen = { ended: 0, interrupted: 0, isBusy: false };
  const end = new ProgramTurnEnd({
    clock,
    title: 'Fake',
    session: {
      async end() {
        seen.ended += 1;
      },
    },
    isBusy: () => seen.isBusy,
    interrupt() {
      seen.interrupted += 1;
    },
  });
  const abort = new AbortController();
  const over = end.wait(abort.signal, () => undefined);
  return { clock, seen, end, abort, over };
}

describe('End of a turn of an agent program', () => {
  it('ends a program that falls silent, but not while it works or asks', async () => {
    const { clock, seen, end, over } = turn();
    seen.isBusy = true;
    await clock.advance(11 * 330_000);
    expect(seen.ended).toBe(0);
    seen.isBusy = false;
    await clock.advance(330_000);
    expect(seen).toMatchObject({ interrupted: 1, ended: 0 });
    await clock.advance(2_000);
    await over;
    expect([seen.ended > 0, end.error?.code, end.isStalled]).toEqual([true, 'timeout', true]);
  });

  it('does not keep a program that answers the cancellation after it fell silent', async () => {
    const { clock, seen, end, over } = turn();
    await clock.advance(331_000);
    end.finish();
    await over;
    expect([seen.interrupted, seen.ended]).toEqual([1, 1]);
  });

  it('ends a stopped program that does not report the end of its turn', async () => {
    const { clock, seen, abort, over } = turn();
    abort.abort('stopped');
    expect(seen).toMatchObject({ interrupted: 1, ended: 0 });
    await clock.advance(2_000);
    await over;
    expect(seen.ended).toBe(1);
  });

  it('keeps a stopped program that does, also in its next turn', async () => {
    const { clock, seen, end, abort, over } = turn();
    abort.abort('stopped');
    end.finish();
    await over;
    await clock.advance(10_000);
    expect(seen.ended).toBe(0);
  });

  it('ends a program whose turn is left to be resumed', async () => {
    const { seen, abort, over } = turn();
    abort.abort('interrupted');
    await over;
    expect(seen).toMatchObject({ interrupted: 0, ended: 1 });
  });
});

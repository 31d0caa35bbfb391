import { describe, expect, it } from 'vitest';
import { createFreeSpend } from '../../../test/fakes/free-spend.ts';
import { type RigOptions, runtimeRig } from '../../../test/fakes/runtime-rig.ts';
import { says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { SpendingTurn } from '../models/spend-gate.ts';
import type { RuntimeEvent, TurnSlot } from '../supervisor/runtime-port.ts';

/** A turn whose budget is used up before its first request. */
function broke(more: RigOptions = {}) {
  const trail: string[] = [];
  const turns: SpendingTurn[] = [];
  let answer = (_more: boolean): void => undefined;
  let open = false;
  let asking = true;
  const answered = new Promise<boolean>((resolve) => {
    answer = (more) => {
      open = more;
      asking = false;
      resolve(more);
    };
  });
  const place: TurnSlot = {
    async lend(work) {
      trail.push('lent');
      const value = await work;
      trail.push('back');
      return value;
    },
  };
  const spend = createFreeSpend({
    admit: () => (open ? ok(undefined) : err(textError('rate_limited', 'The budget of Guide is used up.'))),
    question(turn) {
      turns.push(turn);
      return asking ? { approvalId: 'ap_1', answered } : null;
    },
  });
  const r = runtimeRig([says('done')], { place, deps: { spend }, ...more });
  r.say('hello');
  return { r, trail, turns, answer: (more: boolean) => answer(more) };
}

const states = (events: readonly RuntimeEvent[]) =>
  events.flatMap((event) => (event.type === 'step' ? [event.step.state] : []));

describe('Turn whose budget is used up', () => {
  it('waits without its slot and outside its turn time, shown as waiting, and continues when allowed', async () => {
    const { r, trail, answer } = broke({ turnMs: 60_000 });
    const run = r.run();
    await r.clock.advance(3_600_000);
    expect([trail, r.asked]).toEqual([['lent'], []]);
    answer(true);
    const events = await run;
    expect(trail).toEqual(['lent', 'back']);
    expect(states(events)).toEqual(['running', 'running', 'waiting', 'done']);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['done'] });
  });

  it('fails with the budget message when denied, and sends no request', async () => {
    const { r, answer } = broke();
    const run = r.run();
    await settle(20);
    answer(false);
    const events = await run;
    expect(states(events).at(-1)).toBe('denied');
    expect(events.at(-1)).toMatchObject({
      type: 'turn_failed',
      error: { code: 'rate_limited', message: 'The budget of Guide is used up.' },
    });
    expect(r.asked).toEqual([]);
  });

  it('F1 leaves the request waiting if interrupted, and withdraws it if stopped', async () => {
    for (const why of ['interrupted', 'stopped'] as const) {
      const { r, turns } = broke();
      const run = r.run();
      await settle(20);
      r.abort(why);
      await run;
      expect([turns[0]?.ended.aborted, r.asked]).toEqual([why === 'stopped', []]);
    }
  });

  it('T9 checks again for untrusted notes that another turn wrote meanwhile', async () => {
    let looked = 0;
    const { r, answer } = broke({
      foreignNotes: () => {
        looked += 1;
        return false;
      },
    });
    const run = r.run();
    await settle(20);
    const before = looked;
    answer(true);
    await run;
    expect(looked).toBe(before + 1);
  });
});

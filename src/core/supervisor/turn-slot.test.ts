import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { createTurnSlot, type HeldTurnSlot } from './turn-slot.ts';

/** Turns by letter that share one slot; `trail` records who resumed, in order. */
function world() {
  const place = createTurnSlot();
  const trail: string[] = [];
  const turns = new Map<string, { seat: HeldTurnSlot; abort: AbortController; answer: () => void }>();
  const of = (name: string) => {
    const turn = turns.get(name);
    if (!turn) throw new Error(`no turn ${name}`);
    return turn;
  };
  const acts: Record<string, (name: string) => void> = {
    begin(name) {
      const abort = new AbortController();
      turns.set(name, { seat: place.take(abort.signal), abort, answer: () => undefined });
    },
    ask(name) {
      const turn = of(name);
      const work = new Promise<void>((resolve) => {
        turn.answer = resolve;
      });
      void turn.seat.lend(work).then(() => trail.push(turn.seat.has() ? name : `${name} without`));
    },
    answer: (name) => of(name).answer(),
    end: (name) => of(name).seat.leave(),
    stop: (name) => of(name).abort.abort('stopped'),
  };
  return {
    place,
    trail,
    has: () => [...turns].filter(([, { seat }]) => seat.has()).map(([name]) => name),
    async run(script: string) {
      for (const step of script.split(', ')) {
        const [act = '', name = ''] = step.split(' ');
        acts[act]?.(name);
        await settle(1);
        expect([...turns.values()].filter(({ seat }) => seat.has()).length).toBeLessThanOrEqual(1);
      }
    },
  };
}

const cases: readonly { name: string; script: string; has: readonly string[]; trail: readonly string[] }[] = [
  { name: 'who asks lends it', script: 'begin A, ask A', has: [], trail: [] },
  { name: 'has it back where it is vacant', script: 'begin A, ask A, answer A', has: ['A'], trail: ['A'] },
  {
    name: 'waits for it while another thinks',
    script: 'begin A, ask A, begin B, answer A',
    has: ['B'],
    trail: [],
  },
  {
    name: 'has it back when the other ends',
    script: 'begin A, ask A, begin B, answer A, end B',
    has: ['A'],
    trail: ['A'],
  },
  {
    name: 'has it back when the other asks, first come first served',
    script: 'begin A, ask A, begin B, ask B, begin C, answer B, answer A, ask C, end B',
    has: ['A'],
    trail: ['B', 'A'],
  },
  {
    name: 'may ask again and again',
    script: 'begin A, ask A, answer A, ask A, begin B, answer A, end B, ask A, answer A, end A',
    has: [],
    trail: ['A', 'A', 'A'],
  },
  {
    name: 'one that is stopped wants it no more',
    script: 'begin A, ask A, begin B, stop A, answer A, end B',
    has: [],
    trail: ['A without'],
  },
  {
    name: 'nor one that is stopped while it waits for it',
    script: 'begin A, ask A, begin B, answer A, stop A, end B',
    has: [],
    trail: ['A without'],
  },
  {
    name: 'one that is over does not take it, however late its answer comes',
    script: 'begin A, ask A, end A, begin B, end B, answer A',
    has: [],
    trail: ['A without'],
  },
  {
    name: 'one that ends while it waits for it lets the next one have it',
    script: 'begin A, ask A, begin B, ask B, begin C, answer A, answer B, end A, end C',
    has: ['B'],
    trail: ['A without', 'B'],
  },
];

describe('Agent turn slot', () => {
  for (const { name, script, has, trail } of cases) {
    it(name, async () => {
      const w = world();
      await w.run(script);
      expect(w.has()).toEqual(has);
      expect(w.trail).toEqual(trail);
      expect(w.place.vacant()).toBe(has.length === 0);
    });
  }

  it('is reported vacant after the last turn has ended', async () => {
    const w = world();
    await w.run('begin A, ask A, begin B, answer A');
    let vacant = false;
    void w.place.whenVacant().then(() => {
      vacant = true;
    });
    await w.run('end B');
    expect(vacant).toBe(false);
    await w.run('end A');
    expect(vacant).toBe(true);
  });

  it('returns to its turn even if the awaited promise rejects', async () => {
    const place = createTurnSlot();
    const seat = place.take(new AbortController().signal);
    await expect(seat.lend(Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(seat.has()).toBe(true);
  });
});

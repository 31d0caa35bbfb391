import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BrakeThread, createBrake } from './brake.ts';

const thread: BrakeThread = { roomId: 'r', rootId: 't' };
const isAgent = (slug: string): boolean => slug.startsWith('bot');

function rig(recent: readonly string[] = [], limit = 3) {
  let allowed = 0;
  const brake = createBrake({
    isAgent,
    recent: () => recent.map((senderSlug) => ({ senderSlug })),
    limit: () => limit,
    allowed: () => allowed,
  });
  return {
    say: (senderSlug: string, where = thread) => brake.observe({ senderSlug, ...where }),
    allow: (turns: number) => {
      allowed += turns;
    },
    brake,
  };
}

describe('Agent brake', () => {
  it('T27 stops a thread past the limit, and a message from a person resets it', () => {
    const { say } = rig();
    expect(['bot-a', 'bot-b', 'bot-a'].map((who) => say(who).braked)).toEqual([false, false, false]);
    expect(say('bot-b')).toEqual({ run: 4, pair: 2, braked: true });
    expect(say('ada')).toEqual({ run: 0, pair: 0, braked: false });
    expect(say('bot-a').braked).toBe(false);
  });

  it('T27 allows another round after the operator extends the limit', () => {
    const { say, allow } = rig();
    for (let n = 0; n < 4; n += 1) say('bot-a');
    allow(3);
    expect([say('bot-b').braked, say('bot-a').braked, say('bot-b').braked]).toEqual([false, false, true]);
  });

  it('T27 counts each thread separately', () => {
    const { say } = rig();
    for (let n = 0; n < 5; n += 1) say('bot-a');
    expect(say('bot-a', { roomId: 'r', rootId: 'other' }).run).toBe(1);
  });

  it('T27 seeds its count from stored messages after a restart', () => {
    const { say, brake } = rig(['bot-a', 'ada', 'bot-a', 'bot-b', 'bot-a']);
    expect(brake.standing(thread)).toEqual({ run: 3, pair: 2, braked: false });
    expect(say('bot-b').braked).toBe(true);
  });

  it('T27 never lets agents exchange more messages than the limit, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('bot-a', 'bot-b', 'bot-c'), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (senders, limit) => {
          const { say } = rig([], limit);
          const answered = senders.filter((who) => !say(who).braked).length;
          expect(answered).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it('evicts quiet threads and keeps the count of busy ones', () => {
    const { say } = rig();
    for (let n = 0; n < 4; n += 1) say('bot-a');
    for (let n = 0; n < 200; n += 1) say('bot-a', { roomId: 'r', rootId: `t${n}` });
    expect(say('bot-a').braked).toBe(true);
  });
});

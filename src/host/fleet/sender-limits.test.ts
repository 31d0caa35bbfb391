import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import type { TriggerDecision } from '../../core/puffo/account-store.ts';
import { createSenderLimits, limitNotice } from './sender-limits.ts';

const dm: TriggerDecision = { react: true, reason: 'dm', priority: 1 };
const minute = 60_000;

function agent(store = createMemoryAccountStore('bot-1'), limit = 3) {
  let at = 10 * 3_600_000;
  let made = 0;
  const limits = createSenderLimits({
    store,
    now: () => at,
    limit: () => limit,
    isOwn: (slug) => slug === 'ada-1',
  });
  return {
    limits,
    store,
    pass: (minutes: number) => {
      at += minutes * minute;
    },
    /** Like the inbox: decides, then stores. Returns the reason. */
    hears(senderSlug: string, decision = dm): string {
      made += 1;
      const message = sampleDm({
        envelopeId: `msg_${senderSlug}_${at}_${made}`,
        senderSlug,
        sentAt: at,
        receivedAt: at,
      });
      const judged = limits.apply(message, decision);
      store.accept([{ message, decision: judged }]);
      return judged.reason;
    },
  };
}

const times = (count: number, work: () => string): string[] => Array.from({ length: count }, work);

describe('T27: Message limit per sender', () => {
  it('counts a message once if it is redelivered after a store failure (F4)', () => {
    const { limits, hears } = agent();
    const message = sampleDm({ envelopeId: 'msg_again', senderSlug: 'eve-1', sentAt: 1, receivedAt: 1 });
    for (let attempt = 0; attempt < 9; attempt += 1) expect(limits.apply(message, dm).reason).toBe('dm');
    expect(times(3, () => hears('eve-1'))).toEqual(['dm', 'dm', 'sender_limit']);
  });

  it('allows three messages per sender in a sliding hour', () => {
    const { hears, pass } = agent();
    expect(times(2, () => hears('eve-1'))).toEqual(['dm', 'dm']);
    pass(30);
    expect(times(3, () => hears('eve-1'))).toEqual(['dm', 'sender_limit', 'sender_limit']);
    expect(hears('bob-1')).toBe('dm');
    pass(31);
    expect(times(3, () => hears('eve-1'))).toEqual(['dm', 'dm', 'sender_limit']);
  });

  it('counts only messages that wake the agent, and never the operator’s', () => {
    const { hears } = agent();
    const silent = { ...dm, react: false, reason: 'not_mentioned' };
    expect(times(9, () => hears('eve-1', silent))).not.toContain('sender_limit');
    expect(times(3, () => hears('eve-1'))).not.toContain('sender_limit');
    expect(times(20, () => hears('ada-1'))).not.toContain('sender_limit');
  });

  it('counts on after a restart', () => {
    const before = agent();
    times(3, () => before.hears('eve-1'));
    expect(agent(before.store).hears('eve-1')).toBe('sender_limit');
  });

  it('counts the messages of a batch before they are stored', () => {
    const { limits } = agent();
    const batch = ['a', 'b', 'c', 'd', 'e'].map((n) =>
      sampleDm({ envelopeId: `msg_${n}`, senderSlug: 'eve-1' }),
    );
    const reasons = batch.map((message) => limits.apply(message, dm).reason);
    expect(reasons.filter((reason) => reason === 'dm')).toHaveLength(3);
  });

  it('notifies the sender once an hour with the waiting time, also after a restart', () => {
    const { hears, limits, pass, store } = agent();
    times(1, () => hears('eve-1'));
    pass(10);
    times(3, () => hears('eve-1'));
    const now = 10 * 3_600_000 + 10 * minute;
    const until = limits.tell('eve-1') ?? 0;
    expect(limitNotice(3, until, now)).toContain('Write again in 50 minutes.');
    expect(limits.tell('eve-1')).toBeNull();
    expect(agent(store).limits.tell('eve-1')).toBeNull();
    pass(61);
    expect(limits.tell('eve-1')).not.toBeNull();
  });
});

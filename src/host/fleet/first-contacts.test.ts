import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { ok } from '../../contract/result.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { ContactDecision } from '../../core/puffo/contact-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { type FirstContactDeps, FirstContacts, type HeldContact } from './first-contacts.ts';
import { type AcquaintancesDeps, createAcquaintances } from './known-people.ts';

const decided = (reason: string, react = false) => ({ react, reason, priority: 1 as const });
let made = 0;

function dm(senderSlug: string, content = 'hello'): StoredMessage {
  made += 1;
  return sampleDm({
    envelopeId: `msg_${made}`,
    senderSlug,
    roomId: dmRoomId(senderSlug),
    content,
    sentAt: made,
  });
}

function agent(
  store: AccountStore = createMemoryAccountStore('bot-1'),
  more: Partial<FirstContactDeps> = {},
  lists?: AcquaintancesDeps['members'],
) {
  const decisions = new Map<string, ContactDecision>();
  const members: { known: string[]; listed: string[] } = { known: [], listed: [] };
  const asked: HeldContact[] = [];
  const woken: string[] = [];
  const all = (slugs: readonly string[]) => slugs.map((slug) => ({ slug, role: 'member' }));
  const channel = { id: 'ch_1', spaceId: 'sp_1', name: 'dev', encrypted: true, members: [] } as const;
  const contacts = new FirstContacts({
    store,
    log: createRecordingLog(),
    acquaintances: createAcquaintances({
      slug: 'bot-1',
      store,
      members: lists ?? {
        of: async () => ok(all(members.listed)),
        remembered: () => all(members.known),
      },
      account: () => ({
        client: {} as never,
        rooms: () => ({ spaces: [], channels: [channel] }),
        refreshRooms: async () => ok(undefined),
      }),
      hasOperatorWrittenTo: (slug) => slug === 'friend-1',
    }),
    operator: {
      isOwn: (slug) => slug === 'ada-1',
      decisionOf: (slug) => decisions.get(slug) ?? null,
      isAsked: (slug) => asked.some((one) => one.slug === slug),
      ask: (held) => asked.push(held),
      released: () => undefined,
      stopped: () => undefined,
    },
    isHolding: () => true,
    accepted: (messages) => woken.push(...messages.map(({ envelopeId }) => envelopeId)),
    ...more,
  });
  /** Like the inbox: decides, stores, then acts. */
  const hears = (message: StoredMessage): void => {
    const isHeld = contacts.contactOf(message) === 'unknown';
    if (isHeld) contacts.hold(message, message.sentAt);
    store.accept([{ message, decision: isHeld ? decided('first_contact') : decided('dm', true) }]);
    if (isHeld) contacts.stored(message.senderSlug);
  };
  return { contacts, store, decisions, members, asked, woken, hears };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('T9: Contact check', () => {
  const { contacts, store, decisions, members } = agent();
  store.accept([
    {
      message: { ...dm('bot-1'), roomId: dmRoomId('written-1') },
      decision: { react: false, reason: 'own', priority: 5 },
    },
  ]);
  decisions.set('accepted-1', 'accepted').set('blocked-1', 'blocked').set('forgotten-1', 'unknown');
  members.known.push('mate-1', 'forgotten-1');

  it.each([
    ['ada-1', 'known'],
    ['friend-1', 'known'],
    ['written-1', 'known'],
    ['mate-1', 'known'],
    ['accepted-1', 'known'],
    ['stranger-1', 'unknown'],
    ['forgotten-1', 'unknown'],
    ['blocked-1', 'blocked'],
  ] as const)('reports %s as %s', (slug, expected) => {
    expect(contacts.contactOf(dm(slug))).toBe(expected);
  });

  it('applies to channels only for blocked senders', () => {
    const inChannel = (senderSlug: string) => contacts.contactOf(sampleMessage({ senderSlug }));
    expect(inChannel('stranger-1')).toBe('known');
    expect(inChannel('blocked-1')).toBe('blocked');
  });

  it('treats strangers as known if the setting is off, and still blocks', () => {
    const open = agent(undefined, { isHolding: () => false });
    open.decisions.set('blocked-1', 'blocked');
    expect(open.contacts.contactOf(dm('stranger-1'))).toBe('known');
    expect(open.contacts.contactOf(dm('blocked-1'))).toBe('blocked');
  });
});

describe('T9: Held messages', () => {
  it('wake the agent in order once the sender is accepted', async () => {
    const { contacts, hears, asked, woken, store } = agent();
    const [one, two] = [dm('eve-1', 'first'), dm('eve-1', 'second')];
    hears(one);
    hears(two);
    await settled();
    expect(asked).toMatchObject([{ slug: 'eve-1', excerpt: 'first' }]);
    expect(contacts.list()).toMatchObject([{ slug: 'eve-1', messages: 2 }]);
    expect(contacts.release('eve-1')).toBe(2);
    expect(woken).toEqual([one.envelopeId, two.envelopeId]);
    expect(store.decision(one.envelopeId)).toMatchObject({ react: true, reason: 'dm', status: 'open' });
    expect(contacts.release('eve-1')).toBe(0);
    expect(contacts.list()).toEqual([]);
  });

  it('are released without a question if the sender shares a channel with the agent', async () => {
    const { hears, asked, woken, members } = agent();
    members.listed.push('mate-2');
    hears(dm('mate-2'));
    await settled();
    expect(asked).toEqual([]);
    expect(woken).toHaveLength(1);
  });

  it('cause a question if the member lists are unavailable', async () => {
    const unavailable: AcquaintancesDeps['members'] = {
      of: async () => ({ ok: false, error: { code: 'unavailable', message: '' } }) as never,
      remembered: () => [],
    };
    const { hears, asked } = agent(undefined, {}, unavailable);
    hears(dm('eve-2'));
    await settled();
    expect(asked).toHaveLength(1);
  });

  it('survive a crash before the store write and one before the question', async () => {
    const before = agent();
    const message = dm('eve-3');
    before.contacts.hold(message, 1);
    // After the crash the message arrives again.
    const after = agent(before.store);
    after.hears(message);
    expect(after.contacts.list()).toMatchObject([{ slug: 'eve-3', messages: 1 }]);
    const later = agent(before.store);
    later.contacts.resume();
    await settled();
    expect(later.asked).toHaveLength(1);
    later.decisions.set('eve-3', 'accepted');
    later.contacts.resume();
    expect(later.woken).toEqual([message.envelopeId]);
  });

  it('are limited to 50 messages per sender and 200 senders', () => {
    const { contacts, hears, woken } = agent();
    for (let n = 0; n < 60; n += 1) hears(dm('eve-4'));
    expect(contacts.release('eve-4')).toBe(60);
    expect(woken).toHaveLength(50);
    for (let n = 0; n < 250; n += 1) hears(dm(`many-${n}`));
    expect(contacts.list()).toHaveLength(200);
  });
});

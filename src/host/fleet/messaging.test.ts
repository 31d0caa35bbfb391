import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { TurnTaken } from '../../core/puffo/account-store.ts';
import { isEnvelopeId } from '../../core/puffo/ids.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentFiles } from '../files/agent-files.ts';
import { createChatFiles } from '../files/chat-files.ts';
import { createMessageReading } from './message-reading.ts';
import { createMessageSending } from './message-sending.ts';
import { createAgentMessaging } from './messaging.ts';
import type { ChatAccount } from './messaging-rooms.ts';

const me = 'helper-9a7c';
const person = (slug: string) => ({
  slug,
  displayName: slug.toUpperCase(),
  avatarUrl: '',
  role: 'r',
  roleShort: '',
  agent: slug.startsWith('bot'),
});
const general = { id: 'ch_1', spaceId: 'sp_1', name: 'general', encrypted: true, members: [] } as const;

const unused = () => Promise.reject(new Error('no files here'));
const noFiles: AgentFiles = {
  outgoing: { begin: unused, read: unused, remove: () => undefined, sweep: unused },
  intake: { fetch: unused },
};

function rig() {
  const store = createMemoryAccountStore(me);
  let asked = 0;
  let kicks = 0;
  const clock = createVirtualClock();
  const account: ChatAccount = {
    person: async (slug) => person(slug),
    channelName: (id) => id,
    rooms: () => ({ spaces: [], channels: asked === 0 ? [] : [general] }),
    refreshRooms: async () => {
      asked += 1;
      return ok(undefined);
    },
    kickOutbox: () => {
      kicks += 1;
    },
  };
  const sending = createMessageSending({
    account,
    store,
    slug: me,
    crypto: { sha256: (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()) },
    clock,
  });
  const chat = createAgentMessaging({
    account,
    identity: { slug: me, deviceId: 'dev_1', serverUrl: 'https://x' },
    sending,
    reading: createMessageReading({ account, store, profiles: { known: person }, clock }),
    files: createChatFiles({ send: sending.send, store, files: noFiles }),
  });
  const accept = (...messages: readonly StoredMessage[]): void => {
    const decision = { react: false, reason: 'not_mentioned', priority: 3 } as const;
    store.accept(messages.map((message) => ({ message, decision })));
  };
  const begin = (change: Partial<TurnTaken> = {}): void =>
    store.takeIntoTurn(
      {
        turnId: 't',
        threadKey: 'ch|ch_1|msg_1',
        roomId: 'ch_1',
        rootId: 'msg_1',
        envelopeIds: [],
        startedAt: 1,
        ...change,
      },
      null,
    );
  const send = (channel: string, more: { callId?: string; rootId?: string; visible?: boolean } = {}) =>
    chat.send({ turnId: 't', callId: 'c1', text: 'hi', visible: false, rootId: '', channel, ...more });
  return { store, chat, accept, begin, send, kicks: () => kicks };
}

describe('Chat tools of an agent', () => {
  it('I2 send one message for a repeated call id', async () => {
    const r = rig();
    r.begin();
    const first = await r.send('@bob-1');
    const second = await r.send('@bob-1');
    const other = await r.send('@bob-1', { callId: 'c2' });
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first.ok && isEnvelopeId(first.value.messageId)).toBe(true);
    expect(r.store.openOutbox()).toHaveLength(2);
    expect(r.kicks()).toBeGreaterThan(0);
  });

  it('reply in the real thread root, hidden where allowed; a new root is always visible (spec §3.1, §3.2)', async () => {
    const r = rig();
    r.begin();
    r.accept(
      sampleMessage({ envelopeId: 'msg_1' }),
      sampleMessage({ envelopeId: 'msg_2', threadRootId: 'msg_1' }),
      sampleDm({ envelopeId: 'msg_dm' }),
    );
    await r.send('ch_1', { rootId: 'msg_2' });
    await r.send('ch_1', { callId: 'c2' });
    expect(r.store.openOutbox().map((row) => [row.spaceId, row.threadRootId, row.visible])).toEqual([
      ['sp_1', 'msg_1', false],
      ['sp_1', null, true],
    ]);
    expect(await r.send('ch_1', { rootId: 'msg_dm' })).toMatchObject({ ok: false });
    expect(await r.send('ch_other')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('know whether a turn has spoken in its own thread', async () => {
    const r = rig();
    r.accept(sampleMessage({ envelopeId: 'msg_1' }));
    r.begin();
    expect(r.chat.here('t')).toEqual({ channel: 'ch_1', rootId: 'msg_1' });
    await r.send('@bob-1');
    expect(r.chat.sentHere('t', ['c1'])).toBeNull();
    const sent = await r.send('ch_1', { callId: 'c2', rootId: 'msg_1' });
    expect(r.chat.sentHere('t', ['c1', 'c2', 'c3'])).toBe(sent.ok && sent.value.messageId);
    expect(r.chat.sentHere('no such turn', ['c2'])).toBeNull();
  });

  it('write to a person in the conversation that the turn answers, or that the replied message is in', async () => {
    const r = rig();
    const room = 'dm:bob-1~cv_0123456789';
    const dm = (envelopeId: string, roomId: typeof room | 'dm:bob-1') =>
      sampleDm({ envelopeId, senderSlug: 'bob-1', roomId });
    r.accept(dm('msg_here', room), dm('msg_main', 'dm:bob-1'));
    r.begin({ roomId: room, threadKey: 'dm|bob-1~cv_0123456789', rootId: 'msg_here' });
    await r.send('@bob-1');
    await r.send('@bob-1', { callId: 'c2', rootId: 'msg_main' });
    await r.send('@ann-2', { callId: 'c3' });
    expect(r.store.openOutbox().map((row) => [row.recipientSlug, row.conversationId])).toEqual([
      ['bob-1', 'cv_0123456789'],
      ['bob-1', null],
      ['ann-2', null],
    ]);
  });

  it('count a message of an external program in an open thread as the answer (spec §3.6)', async () => {
    const r = rig();
    const open = { react: true, reason: 'mentioned', priority: 3 } as const;
    const asked = [sampleMessage({ envelopeId: 'msg_1' }), sampleMessage({ envelopeId: 'msg_2' })];
    r.store.accept(asked.map((message) => ({ message, decision: open })));
    const outside = async (callId: string, rootId: string) => {
      const turnId = `mcp_${callId}`;
      const text = 'from outside';
      const sent = await r.chat.send({ turnId, callId, channel: 'ch_1', text, visible: true, rootId });
      return sent.ok ? sent.value.messageId : sent.error.code;
    };
    // Before the turn, in another thread, and as a new thread.
    await outside('a', 'msg_2');
    await outside('b', '');
    r.begin({ envelopeIds: ['msg_1'] });
    r.begin({ turnId: 'u', threadKey: 'ch|ch_1|msg_2', rootId: 'msg_2', envelopeIds: ['msg_2'] });
    expect(r.chat.sentHere('t', [])).toBeNull();
    const first = await outside('c', 'msg_1');
    const second = await outside('d', 'msg_1');
    expect(second).not.toBe(first);
    expect(r.chat.sentHere('t', [])).toBe(second);
    expect(r.chat.sentHere('u', [])).not.toBeNull();
    expect(r.store.openOutbox()).toHaveLength(4);
  });

  it('read root posts, threads and single messages from the local store', async () => {
    const r = rig();
    await r.chat.channels();
    for (let n = 1; n <= 5; n += 1) r.accept(sampleMessage({ envelopeId: `msg_${n}`, sentAt: n * 10 }));
    r.accept(sampleMessage({ envelopeId: 'msg_r', threadRootId: 'msg_4', sentAt: 60, senderSlug: 'bot-1' }));
    const roots = async (query: object) => {
      const posts = await r.chat.channelHistory('ch_1', { limit: 20, ...query });
      return posts.ok ? posts.value.map(({ id, replies }) => `${id} ${replies}`) : posts.error.code;
    };
    expect(await roots({ limit: 2 })).toEqual(['msg_4 1', 'msg_5 0']);
    expect(await roots({ since: 'msg_3' })).toEqual(['msg_4 1', 'msg_5 0']);
    expect(await roots({ after: 10, before: 40 })).toEqual(['msg_2 0', 'msg_3 0']);
    // A reply's thread is that of its root.
    expect(await r.chat.threadHistory('msg_r', 50)).toMatchObject({
      value: [{ id: 'msg_4' }, { id: 'msg_r' }],
    });
    expect(await r.chat.threadHistory('msg_4', 50)).toMatchObject({
      value: [{ id: 'msg_4' }, { id: 'msg_r', senderAgent: true, senderName: 'BOT-1' }],
    });
    expect(await r.chat.post('msg_r')).toMatchObject({ value: { threadRootId: 'msg_4' } });
    expect(await r.chat.post('nothing')).toMatchObject({ ok: false });
  });

  it('T8 hide the operator’s approval answers from the model', async () => {
    const r = rig();
    await r.chat.channels();
    const decision = { react: false, reason: 'consent', priority: 5 } as const;
    const asked = { senderSlug: me, roomId: 'dm:ada-1', recipientSlug: 'ada-1' } as const;
    r.accept(sampleDm({ envelopeId: 'msg_q', content: 'May I? yes or no', ...asked }));
    for (const message of [
      sampleDm({
        envelopeId: 'msg_y',
        senderSlug: 'ada-1',
        threadRootId: 'msg_q',
        content: 'yes',
        sentAt: 5e12,
      }),
      sampleDm({ envelopeId: 'msg_n', senderSlug: 'ada-1', content: 'no yes', sentAt: 6e12 }),
      sampleMessage({ envelopeId: 'msg_c', senderSlug: 'ada-1', content: 'yes', sentAt: 7e12 }),
    ]) {
      r.store.accept([{ message, decision }]);
    }
    const read = [
      await r.chat.channelHistory('@ada-1', { limit: 20 }),
      await r.chat.threadHistory('msg_q', 20),
      await r.chat.search({ words: 'yes', channel: '', limit: 20 }),
    ];
    expect(read.map((result) => result.ok)).toEqual([true, true, true]);
    expect(JSON.stringify(read)).toContain('msg_q');
    expect(JSON.stringify([...read, await r.chat.channelHistory('ch_1', { limit: 20 })])).not.toMatch(
      /msg_[ync]/,
    );
    expect(await r.chat.post('msg_y')).toMatchObject({ ok: false });
  });

  it('start a new thread for the answer to Kennel’s own prompt', async () => {
    const r = rig();
    await r.chat.channels();
    const prompt = 'intro-prompt-0123';
    r.accept(sampleMessage({ envelopeId: prompt, senderSlug: 'system', threadRootId: prompt }));
    r.begin({ rootId: prompt, threadKey: `ch|ch_1|${prompt}` });
    const sent = await r.send('ch_1', { rootId: prompt });
    const id = sent.ok ? sent.value.messageId : '';
    expect(r.store.outbox(id)).toMatchObject({ threadRootId: null, visible: true });
    expect(r.chat.sentHere('t', ['c1'])).toBe(id);
  });

  it('F10 page over messages with the same timestamp without loss', async () => {
    const r = rig();
    await r.chat.channels();
    for (const n of [1, 2, 3]) {
      r.accept(sampleMessage({ envelopeId: `msg_${n}`, sentAt: 10 }));
      r.accept(sampleDm({ envelopeId: `dm_${n}`, senderSlug: 'bob-1', sentAt: 10 }));
    }
    const since = async (channel: string, id: string) => {
      const posts = await r.chat.channelHistory(channel, { limit: 20, since: id });
      return posts.ok ? posts.value.map((post) => post.id) : posts.error.code;
    };
    expect(await since('ch_1', 'msg_1')).toEqual(['msg_2', 'msg_3']);
    expect(await since('@bob-1', 'dm_2')).toEqual(['dm_3']);
  });

  it('F4 report a full disk as the result of the call', async () => {
    const r = rig();
    r.begin();
    r.store.failNext(new StoreError('disk_full', 'The disk is full.'));
    expect(await r.send('@bob-1')).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  });
});

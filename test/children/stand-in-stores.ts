/**
 * Runs the stores over libsql, as the build for the older Electron test runtime does, and prints the results.
 * Argument: an empty folder.
 */
import { registerHooks } from 'node:module';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'better-sqlite3-multiple-ciphers' ? 'libsql' : specifier, context),
});
const { sqliteCapabilities } = await import('../../src/services/db/binding.ts');
const { openAccountStore } = await import('../../src/services/db/account-store.ts');
const { openRegistryStore } = await import('../../src/services/db/registry-store.ts');
const { acquireHostLock } = await import('../../src/services/db/host-lock.ts');
const { sampleMessage } = await import('../fakes/message-samples.ts');

const [folder = ''] = process.argv.slice(2);
const base = { key: new Uint8Array(32).fill(1), clock: createVirtualClock(), log: createRecordingLog() };
const store = openAccountStore({ ...base, path: `${folder}/messages.db`, slug: 'helper-9a7c' });
const decision = { react: true, reason: 'mention', priority: 1 } as const;
const rows = [1, 2, 3].map((n) => ({
  message: sampleMessage({ envelopeId: `msg_${n}`, content: { n }, sentAt: n }),
  decision,
}));
const accepted = store.accept(rows).length;
store.completeTurn({
  turnId: 't',
  threadKey: 'ch|ch_1|msg_1',
  envelopeIds: ['msg_1', 'msg_2'],
  status: 'done',
  detail: '',
  replies: [
    {
      envelopeId: 'msg_r',
      kind: 'channel',
      spaceId: 'sp_1',
      channelId: 'ch_1',
      recipientSlug: null,
      threadRootId: 'msg_1',
      contentType: 'text/plain',
      content: '42',
      visible: false,
      createdAt: 9,
    },
  ],
  transcript: [],
  steps: [],
  at: 9,
});
store.release();
const registry = openRegistryStore({ ...base, path: `${folder}/registry.db` });
registry.append('a', [{ seq: 1, kind: 'k', slug: 'a', cert: { x: 1 } }], 1);
const first = acquireHostLock(folder, 1);
const second = acquireHostLock(folder, 2);
if (first.ok) first.value.release();
const third = acquireHostLock(folder, 3);

console.log(
  JSON.stringify({
    encryption: sqliteCapabilities.encryption,
    accepted,
    again: store.accept(rows).length,
    open: store.openWork().map((work) => work.message),
    thread: store.thread('msg_1', 10).map((message) => message.content),
    page: store.history({ roomId: 'ch_1', before: 'msg_3', limit: 1 }),
    rooms: store.rooms(),
    known: [...store.known(['msg_1', 'none'])],
    count: store.messageCount(),
    decision: store.decision('msg_1'),
    outbox: store.openOutbox().map((row) => [row.envelopeId, row.content, row.visible]),
    pins: [registry.pinRoot('a', 'r', 1), registry.pinRoot('a', 's', 2), registry.entries('a')],
    locks: [first.ok, second.ok, third.ok],
  }),
);

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AccountStore, MessageRange } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { openAccountStore } from './account-store.ts';

let folder: string;
eachTestInFolder('kennel-queries-', (made) => {
  folder = made;
});

const slug = 'helper-9a7c';
const decision = { react: false, reason: 'own', priority: 5 } as const;

function storeWith(messages: readonly StoredMessage[]): AccountStore {
  const store = openAccountStore({
    path: join(folder, 'messages.db'),
    key: new Uint8Array(32).fill(7),
    slug,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
  store.accept(messages.map((message) => ({ message, decision })));
  return store;
}

const message = (envelopeId: string, sentAt: number, threadRootId: string | null = null): StoredMessage =>
  sampleMessage({ envelopeId, sentAt, threadRootId });

const ids = (messages: readonly StoredMessage[] | null | undefined): readonly string[] | null =>
  messages ? messages.map(({ envelopeId }) => envelopeId) : null;

it('A page after a message includes the other messages of the same ms', () => {
  const store = storeWith([message('msg_a', 100), message('msg_b', 100), message('msg_c', 100)]);
  const roots = store.queries.roots('ch_1', { limit: 10, since: 'msg_a' });
  expect(ids(roots?.map((root) => root.message))).toEqual(['msg_b', 'msg_c']);
  store.release();
});

it('An unknown channel or thread returns null, an empty page an empty list', () => {
  const store = storeWith([message('msg_a', 100)]);
  const { queries } = store;
  expect(queries.roots('ch_9', { limit: 5 })).toBeNull();
  expect(queries.thread('msg_9', { limit: 5 })).toBeNull();
  expect(queries.spaceOf('ch_9')).toBeNull();
  expect(queries.roots('ch_1', { limit: 5, after: 100 })).toEqual([]);
  expect(queries.recent('ch_9', 5)).toEqual([]);
  store.release();
});

it('Every page equals the one that plain filtering gives', () => {
  const messages = Array.from({ length: 40 }, (_, n) =>
    message(`msg_${n}`, 100 + Math.floor(n / 3), n % 4 === 0 ? null : `msg_${n - (n % 4)}`),
  );
  const real = storeWith(messages);
  const plain = createMemoryAccountStore(slug);
  plain.accept(messages.map((one) => ({ message: one, decision })));
  const time = fc.option(fc.integer({ min: 98, max: 116 }), { nil: undefined });
  const range = fc.record({
    limit: fc.integer({ min: 1, max: 50 }),
    since: fc.option(
      fc.integer({ min: 0, max: 45 }).map((n) => `msg_${n}`),
      { nil: undefined },
    ),
    before: time,
    after: time,
  });
  fc.assert(
    fc.property(range, fc.integer({ min: 0, max: 41 }), (asked, n) => {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      const wanted = given as unknown as MessageRange;
      expect(real.queries.roots('ch_1', wanted)).toEqual(plain.queries.roots('ch_1', wanted));
      expect(ids(real.queries.thread(`msg_${n}`, wanted))).toEqual(
        ids(plain.queries.thread(`msg_${n}`, wanted)),
      );
      expect(ids(real.queries.recent('ch_1', asked.limit))).toEqual(
        ids(plain.queries.recent('ch_1', asked.limit)),
      );
    }),
    { numRuns: 300 },
  );
  real.release();
});

it('The list of unanswered messages to the account is sorted newest first', () => {
  const store = storeWith([]);
  const plain = createMemoryAccountStore(slug);
  const priorities = [1, 2, 3, 4, 5] as const;
  const rows = Array.from({ length: 60 }, (_, n) => {
    const react = n % 3 === 0;
    const reason = n % 7 === 6 ? 'own' : react ? 'mention' : 'paused';
    const one = sampleMessage({ envelopeId: `msg_${n}`, receivedAt: 100 + Math.floor(n / 2) });
    return { message: one, decision: { react, reason, priority: priorities[n % 5] ?? 5 } };
  });
  const states = ['done', 'failed', 'silent'] as const;
  for (const each of [store, plain]) {
    each.accept(rows);
    for (const [at, status] of states.entries()) {
      each.completeTurn({
        turnId: `t${at}`,
        threadKey: 'k',
        envelopeIds: [`msg_${at * 3}`, `msg_${30 + at * 3}`],
        status,
        detail: '',
        replies: [],
        transcript: [],
        steps: [],
        at: 200,
      });
    }
  }
  const found = ids(store.queries.unanswered(110, 50)) ?? [];
  expect(found).toEqual(ids(plain.queries.unanswered(110, 50)));
  expect(found).toContain('msg_33');
  expect(found).toContain('msg_31');
  expect(found).not.toContain('msg_30');
  expect(found).not.toContain('msg_32');
  expect(found.length).toBeGreaterThan(10);
  expect(ids(store.queries.unanswered(110, 3))).toEqual(found.slice(0, 3));
  store.release();
});

it('T8: No message query of a tool shows the operator’s approval answers', () => {
  const store = storeWith([message('msg_a', 100), message('msg_b', 200, 'msg_a')]);
  const consent = { react: false, reason: 'consent', priority: 5 } as const;
  for (const answer of [message('msg_y', 300, 'msg_a'), message('msg_z', 400)]) {
    store.accept([{ message: answer, decision: consent }]);
  }
  const { queries } = store;
  expect(ids(queries.thread('msg_a', { limit: 10 }))).toEqual(['msg_a', 'msg_b']);
  expect(ids(queries.recent('ch_1', 10))).toEqual(['msg_a', 'msg_b']);
  expect(ids(queries.roots('ch_1', { limit: 10 })?.map((root) => root.message))).toEqual(['msg_a']);
});

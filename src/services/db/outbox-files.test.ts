import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { attachmentsType } from '../../core/puffo/message-files.ts';
import { openAccountStore } from './account-store.ts';

const slug = 'ada-1';
let folder = '';
eachTestInFolder('kennel-outbox-files-', (made) => {
  folder = made;
});

const onDisk = (): AccountStore =>
  openAccountStore({
    path: path.join(folder, 'messages.db'),
    key: new Uint8Array(32).fill(5),
    slug,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });

describe.each([
  ['on disk', onDisk],
  ['in memory', () => createMemoryAccountStore(slug)],
])('Messages with files in a store %s', (_name, open) => {
  const content = (name: string) => ({ text: '', attachments: [{ filename: name }] });
  function opened() {
    const store = open();
    const add = (envelopeId: string, createdAt: number, contentType = attachmentsType): void =>
      store.enqueue(
        {
          envelopeId,
          kind: 'dm',
          spaceId: null,
          channelId: null,
          recipientSlug: 'bob-1',
          createdAt,
          threadRootId: null,
          visible: true,
          contentType,
          content: content(`${envelopeId}.txt`),
        },
        slug,
      );
    return { store, add };
  }

  it('can change in outbox and history until they are sealed', () => {
    const { store, add } = opened();
    add('m1', 1);
    expect(store.rooms()[0]?.lastText).toBe('m1.txt');
    store.outboxFiles.setContent('m1', content('b.txt'));
    expect([store.outbox('m1')?.content, store.message('m1')?.content]).toEqual([
      content('b.txt'),
      content('b.txt'),
    ]);
    store.outboxSealed('m1', '{}', 'key');
    store.outboxFiles.setContent('m1', content('c.txt'));
    expect([store.outbox('m1')?.content, store.message('m1')?.content]).toEqual([
      content('b.txt'),
      content('b.txt'),
    ]);
    store.release();
  });

  it('are listed until sent, and can be retried only if they failed', () => {
    const { store, add } = opened();
    for (const [at, id] of ['queued', 'sent', 'failed'].entries()) add(id, at * 10);
    add('other', 100, 'text/plain');
    store.outboxSealed('failed', '{}', 'key');
    store.outboxSettled('failed', 'failed', 'No.');
    store.outboxSettled('sent', 'sent', null);
    const ids = () => store.outboxFiles.unsent(attachmentsType).map(({ envelopeId }) => envelopeId);
    expect(ids()).toEqual(['queued', 'failed']);
    expect(['queued', 'sent', 'nothing', 'failed'].map((id) => store.outboxFiles.retry(id))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(store.outbox('failed')).toMatchObject({ state: 'queued', sealed: null, error: null });
    expect(store.openOutbox().map(({ envelopeId }) => envelopeId)).toContain('failed');
    store.release();
  });
});

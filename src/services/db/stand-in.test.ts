import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';

const script = path.join(import.meta.dirname, '../../../test/children/stand-in-stores.ts');
let folder: string;
eachTestInFolder('kennel-stand-in-', (made) => {
  folder = made;
});

it('The stores keep their guarantees over libsql, except encryption, and report that', () => {
  const said = JSON.parse(execFileSync(process.execPath, [script, folder], { encoding: 'utf8' }));
  const message = (n: number) => sampleMessage({ envelopeId: `msg_${n}`, content: { n }, sentAt: n });
  expect(said).toEqual({
    encryption: false,
    accepted: 3,
    again: 0,
    open: [message(3)],
    thread: [{ n: 1 }, '42'],
    page: { messages: [message(2)], hasMore: true },
    rooms: [{ roomId: 'ch_1', spaceId: 'sp_1', lastMessageAt: 9, lastText: '42', unread: 3 }],
    known: ['msg_1'],
    count: 4,
    decision: { react: true, reason: 'mention', priority: 1, status: 'done', detail: '' },
    outbox: [['msg_r', '42', false]],
    pins: [true, false, [{ seq: 1, kind: 'k', slug: 'a', cert: { x: 1 } }]],
    locks: [true, false, true],
  });
});

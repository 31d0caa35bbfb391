import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage, RoomView } from '../../src/contract/model.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { answerTo, follow, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
let kennel: TestHost;
let operator = '';

const bytes = (length: number, seed = 7): Buffer =>
  Buffer.from(new Uint8Array(length).map((_, at) => (at * seed) % 251));

async function put(filename: string, content: Buffer): Promise<string> {
  const { uploadId } = await kennel.call('files.begin', { filename, size: content.length });
  for (let offset = 0; offset < content.length; ) {
    const base64 = content.subarray(offset, offset + 300_000).toString('base64');
    ({ received: offset } = await kennel.call('files.piece', { uploadId, offset, base64 }));
  }
  return uploadId;
}

async function get(message: string, index: number): Promise<{ filename: string; content: Buffer }> {
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const piece = await kennel.call('chat.file', { message, index, offset });
    pieces.push(Buffer.from(piece.base64, 'base64'));
    offset += pieces.at(-1)?.length ?? 0;
    if (piece.done) return { filename: piece.filename, content: Buffer.concat(pieces) };
  }
}

const message = (room: string, id: string): Promise<ChatMessage> =>
  until('the message', async () => {
    const { messages } = await kennel.call('chat.history', { room, limit: 200 });
    return messages.find((one) => one.id === id && one.delivery !== 'pending');
  });

beforeAll(async () => {
  kennel = await startHost(folder.home);
  operator = (await kennel.call('setup.tryDemo', {})).operator;
});
afterAll(async () => {
  await kennel.stop();
  folder.remove();
});

/** Changes the files that the server stores. */
function atTheServer<T>(work: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(path.join(folder.home, 'relay/relay.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const workspace = (...below: string[]): string => path.join(folder.home, 'agents/guide/workspace', ...below);

describe('Files of the operator', () => {
  it('are sent with a message, shown while uploading, and downloaded unchanged', async () => {
    const contents = [bytes(1_000_000), Buffer.alloc(0), bytes(10, 3)];
    const files = [
      await put('../big.bin', contents[0] ?? Buffer.alloc(0)),
      await put('empty.txt', Buffer.alloc(0)),
      await put('note.md', contents[2] ?? Buffer.alloc(0)),
    ];
    const room = await kennel.call('chat.send', { to: 'guide', text: 'hello' });
    const topic = follow<RoomView>(kennel.host, `room:${room.roomId}`);
    const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text: '', files });
    const sent = await message(roomId, messageId);
    expect(sent).toMatchObject({ text: '', delivery: 'sent', own: true });
    expect(sent.attachments).toEqual([
      { filename: 'big.bin', mimeType: 'application/octet-stream', size: 1_000_000, sent: null },
      { filename: 'empty.txt', mimeType: 'text/plain', size: 0, sent: null },
      { filename: 'note.md', mimeType: 'text/markdown', size: 10, sent: null },
    ]);
    expect(JSON.stringify(topic.events)).toMatch(/"sent":[1-9]/);
    topic.stop();
    for (const [index, content] of contents.entries()) {
      expect((await get(messageId, index)).content.equals(content)).toBe(true);
    }
    await until(
      'nothing left on its way',
      () => readdirSync(path.join(folder.home, 'operator/outgoing')).length === 0,
    );
    const missing = await kennel.tryCall('chat.file', { message: messageId, index: 3 });
    expect(missing).toMatchObject({ error: { code: 'not_found', where: 'index' } });
    expect(await kennel.tryCall('chat.retry', { message: messageId })).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(operator).not.toBe('');
  });
});

describe('Files of agents', () => {
  it('reach the inbox before the answer, except a tampered one, and including a late one (T15)', async () => {
    await kennel.call('agents.pause', { agent: 'guide' });
    const files = [
      await put('first.txt', Buffer.from('first')),
      await put('changed.txt', Buffer.from('second')),
      await put('../FIRST.txt', Buffer.from('third, and late')),
    ];
    const before = atTheServer((db) => db.prepare('SELECT blob_id FROM blobs').all().length);
    const text = 'echo have a look';
    const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text, files });
    expect(await message(roomId, messageId)).toMatchObject({ delivery: 'sent' });
    const late = atTheServer((db) => {
      const [, changed, third] = db.prepare('SELECT * FROM blobs ORDER BY rowid').all().slice(before);
      const data = Buffer.from(changed?.data as Uint8Array).map((byte) => byte ^ 1);
      db.prepare('UPDATE blobs SET data = ? WHERE blob_id = ?').run([data, changed?.blob_id ?? '']);
      db.prepare('DELETE FROM blobs WHERE blob_id = ?').run([third?.blob_id ?? '']);
      return third;
    });
    await kennel.call('agents.resume', { agent: 'guide' });
    const inbox = workspace('.puffo/inbox', messageId);
    await until('the first file', () => existsSync(path.join(inbox, 'first.txt')));
    atTheServer((db) =>
      db.prepare('INSERT INTO blobs VALUES (?, ?, ?, ?, ?)').run(Object.values(late ?? {})),
    );
    expect((await answerTo(kennel, roomId, messageId)).text).toContain('have a look');
    expect(readdirSync(inbox).toSorted()).toEqual(['FIRST (2).txt', 'first.txt']);
    expect(readFileSync(path.join(inbox, 'FIRST (2).txt'), 'utf8')).toBe('third, and late');
    expect(statSync(path.join(inbox, 'first.txt')).mode & 0o777).toBe(0o600);
    const tampered = await kennel.tryCall('chat.file', { message: messageId, index: 1 });
    expect(tampered).toMatchObject({ error: { code: 'untrusted' } });
  });

  it('are sent after approval with name and size, and both sides can read them', async () => {
    mkdirSync(workspace('out'), { recursive: true });
    writeFileSync(workspace('out/report.md'), '# Report');
    const args = {
      paths: ['out/report.md'],
      channel: `@${operator}`,
      is_visible_to_human: true,
      caption: 'done',
    };
    const call = { callId: 'call-1', name: 'send_message_with_attachments', args };
    const sent = kennel.host.call({ kind: 'agent', id: 'guide' }, 'agentTools.call', call);
    const asked = await until('a question', async () => {
      const { approvals } = await kennel.call('approvals.list', {});
      return approvals.find(({ state }) => state === 'waiting');
    });
    expect(asked.preview.body).toContain('out/report.md (8 bytes)');
    const answer = { type: 'allow', scope: 'once' } as const;
    await kennel.call('approvals.decide', {
      id: asked.id,
      digest: asked.digest,
      answer,
      surface: 'terminal',
    });
    expect(await sent).toMatchObject({ ok: true, value: { isError: false } });
    const guide = (await kennel.call('agents.list', {})).agents.find(({ id }) => id === 'guide');
    const room = `dm:${guide?.slug}`;
    const arrived = await until('the message', async () => {
      const { messages } = await kennel.call('chat.history', { room, limit: 200 });
      return messages.find(({ text }) => text === 'done');
    });
    expect(arrived.attachments).toEqual([
      { filename: 'report.md', mimeType: 'text/markdown', size: 8, sent: null },
    ]);
    expect((await get(arrived.id, 0)).content.toString()).toBe('# Report');
    const fetch = {
      callId: 'call-2',
      name: 'fetch_channel_files',
      args: { channel: `@${operator}`, limit: 1 },
    };
    const fetched = await kennel.host.call({ kind: 'agent', id: 'guide' }, 'agentTools.call', fetch);
    expect(JSON.stringify(fetched)).toContain(`.puffo/inbox/${arrived.id}/report.md`);
    expect(readFileSync(workspace('.puffo/inbox', arrived.id, 'report.md'), 'utf8')).toBe('# Report');
  });
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage, RoomView } from '../../src/contract/model.ts';
import { follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
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

describe('files of the operator', () => {
  it('go with a message, are shown on their way, and come back whole', async () => {
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

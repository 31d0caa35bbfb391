/**
 * Files of the fake host: uploads in pieces and attachments of messages; also its search and decision
 * reasons.
 */
import { textError } from '../../src/contract/errors.ts';
import type { SearchHit } from '../../src/contract/history-methods.ts';
import type { MethodName } from '../../src/contract/methods.ts';
import type { ChatMessage, RoomView } from '../../src/contract/model.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

export interface Upload {
  filename: string;
  mimeType: string;
  size: number;
  bytes: Buffer;
}

const pieceBytes = 384 * 1024;

export const hitOf = (message: ChatMessage): SearchHit => ({
  id: message.id,
  roomId: message.roomId,
  roomName: '#general',
  senderSlug: message.senderSlug,
  senderName: message.senderName,
  senderAgent: message.senderAgent,
  sentAt: message.sentAt,
  threadRootId: message.threadRootId,
  excerpt: message.text,
});

export class FakeFiles {
  readonly uploads = new Map<string, Upload>();
  readonly cancelled: string[] = [];
  /** By message id, in the order of its attachments. */
  readonly held = new Map<string, Upload[]>();
  /** Delay per piece. */
  pieceMs = 0;
  private readonly every: () => readonly ChatMessage[];

  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed, every: () => readonly ChatMessage[]) {
    this.feed = feed;
    this.every = every;
  }

  /** Attachments of a message with these uploads. */
  attach(message: string, ids: readonly string[]): ChatMessage['attachments'] {
    const files = ids.flatMap((id) => this.uploads.get(id) ?? []);
    this.held.set(message, files);
    return files.map(({ filename, mimeType, size }) => ({ filename, mimeType, size, sent: null }));
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'files.begin': ({ filename, mimeType, size }: Upload) => {
        const uploadId = `up_${this.uploads.size + 1}`;
        this.uploads.set(uploadId, { filename, mimeType, size, bytes: Buffer.alloc(0) });
        return ok({ uploadId });
      },
      'files.piece': async ({ uploadId, base64 }: { uploadId: string; base64: string }) => {
        if (this.pieceMs > 0) await new Promise((done) => setTimeout(done, this.pieceMs));
        const upload = this.uploads.get(uploadId);
        if (upload === undefined) return err(textError('not_found', 'That upload is not held any more.'));
        upload.bytes = Buffer.concat([upload.bytes, Buffer.from(base64, 'base64')]);
        return ok({ received: upload.bytes.length });
      },
      'files.cancel': ({ uploadId }: { uploadId: string }) => {
        this.cancelled.push(uploadId);
        this.uploads.delete(uploadId);
        return ok({});
      },
      'chat.retry': ({ message }: { message: string }) => {
        const at = this.feed
          .read<RoomView>('room:ch_general')
          .messages.findIndex((one) => one.id === message);
        this.feed.patch('room:ch_general', {
          op: 'set',
          path: ['messages', at, 'delivery'],
          value: 'pending',
        });
        return ok({});
      },
      'chat.file': ({ message, index, offset }: { message: string; index: number; offset: number }) => {
        const file = this.held.get(message)?.[index];
        if (file === undefined)
          return err(textError('not_found', 'The server does not have this file any more.'));
        const piece = file.bytes.subarray(offset, offset + pieceBytes);
        return ok({
          filename: file.filename,
          mimeType: file.mimeType,
          size: file.size,
          base64: piece.toString('base64'),
          done: offset + piece.length >= file.bytes.length,
        });
      },
      'chat.search': ({ words, before, limit }: { words: string; before?: string; limit: number }) => {
        const wanted = words.toLowerCase().replace(/["*]/g, '');
        const all = this.every()
          .filter((one) => one.text.toLowerCase().includes(wanted))
          .toReversed();
        const from = before === undefined ? 0 : all.findIndex((one) => one.id === before) + 1;
        return ok({ hits: all.slice(from, from + limit).map(hitOf), hasMore: all.length > from + limit });
      },
      'chat.why': ({ message }: { message: string }) => {
        const found = this.every().find((one) => one.id === message);
        if (found === undefined) return err(textError('not_found', 'That message is not here.'));
        const agents = found.marks.flatMap(({ agentId }) =>
          agentId === null
            ? []
            : [{ agentId, name: agentId, state: 'silent', text: `of ${agentId}: it was not mentioned` }],
        );
        return ok({ message: hitOf(found), agents });
      },
    };
  }
}

import { fail } from '../../contract/fail.ts';
import { filePieceBytes } from '../../contract/file-methods.ts';
import { err, ok } from '../../contract/result.ts';
import type { ChatSelf } from '../chat/self.ts';
import type { Handlers } from '../dispatch.ts';
import type { PageUploads } from './uploads.ts';

type FileMethods = Pick<
  Handlers,
  'files.begin' | 'files.piece' | 'files.cancel' | 'chat.file' | 'chat.retry'
>;

export interface FileHandlerDeps {
  readonly uploads: PageUploads;
  self(): ChatSelf | null;
  onChanged(envelopeId: string): void;
}

const nobody = fail('conflict', 'chat.filesNeedOperator');
const notFailed = fail('conflict', 'chat.messageNotFailed');

export function createFileHandlers({ uploads, self, onChanged }: FileHandlerDeps): FileMethods {
  return {
    'files.begin': async (file) => {
      const me = self();
      if (!me) return err(nobody);
      const begun = await uploads.begin(me.files.outgoing, file);
      return begun.ok ? ok({ uploadId: begun.value }) : begun;
    },
    'files.piece': async ({ uploadId, offset, base64 }) => {
      const held = await uploads.piece(uploadId, offset, Buffer.from(base64, 'base64'));
      return held.ok ? ok({ received: held.value }) : held;
    },
    'files.cancel': async ({ uploadId }) => {
      await uploads.cancel(uploadId);
      return ok({});
    },
    'chat.file': async ({ message, index, offset }) => {
      const me = self();
      if (!me) return err(nobody);
      const file = await me.files.read(message, index);
      if (!file.ok) return file;
      const { filename, mimeType, bytes } = file.value;
      const piece = bytes.subarray(offset, offset + filePieceBytes);
      return ok({
        filename,
        mimeType,
        size: bytes.length,
        base64: Buffer.from(piece).toString('base64'),
        done: offset + piece.length >= bytes.length,
      });
    },
    'chat.retry': ({ message }) => {
      const me = self();
      if (!me) return err(nobody);
      if (!me.store.outboxFiles.retry(message)) return err(notFailed);
      me.account.kickOutbox();
      onChanged(message);
      return ok({});
    },
  };
}

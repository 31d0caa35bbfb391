import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { attachmentsOf, type LocalFile, waitingFiles } from '../../core/puffo/message-files.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { ChatFilesPort, FetchedFiles, FileToSend } from '../../core/tools/chat-files.ts';
import type { MessagingPort } from '../../core/tools/chat-ports.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import { messagingRoom } from '../fleet/messaging-rooms.ts';
import type { AgentFiles } from './agent-files.ts';

export interface ChatFilesDeps {
  readonly send: MessagingPort['send'];
  readonly store: AccountStore;
  readonly files: AgentFiles;
}

/** Messages searched per page, newest first. */
const pageSize = 200;
const deepest = 1_000;

/** Sends an agent's files to the chat and saves files of the chat in its workspace. */
export function createChatFiles({ send, store, files }: ChatFilesDeps): ChatFilesPort {
  const { outgoing, intake } = files;
  return {
    async sendFiles({ files: given, ...message }) {
      const sealed = await sealAll(outgoing, given);
      if (!sealed.ok) return sealed;
      const names = sealed.value.map(({ localFile }) => localFile);
      const sent = await send({ ...message, files: sealed.value });
      // A call repeated after a crash finds its message with the files of the first attempt; the new copies
      // are removed.
      const row = sent.ok ? store.outbox(sent.value.messageId) : null;
      const kept = new Set(row ? waitingFiles(row).map(({ localFile }) => localFile) : []);
      outgoing.remove(names.filter((name) => !kept.has(name)));
      return sent;
    },
    async fetchFiles(channel, limit, signal) {
      const found = withFiles(store, messagingRoom(channel), limit);
      if (!found.ok) return found;
      const fetched: FetchedFiles[] = [];
      for (const message of found.value) {
        const { envelopeId: messageId, senderSlug, sentAt } = message;
        fetched.push({ messageId, senderSlug, sentAt, files: await intake.fetch(message, signal) });
      }
      return ok(fetched);
    },
  };
}

async function sealAll(
  outgoing: OutgoingStore,
  files: readonly FileToSend[],
): Promise<Result<readonly LocalFile[]>> {
  const sealed: LocalFile[] = [];
  for (const file of files) {
    const one = await sealOne(outgoing, file);
    if (!one.ok) {
      outgoing.remove(sealed.map(({ localFile }) => localFile));
      return one;
    }
    sealed.push(one.value);
  }
  return ok(sealed);
}

async function sealOne(
  outgoing: OutgoingStore,
  { filename, mimeType, read }: FileToSend,
): Promise<Result<LocalFile>> {
  const bytes = await read();
  if (!bytes.ok) return bytes;
  const begun = await outgoing.begin({ filename, mimeType });
  if (!begun.ok) return begun;
  const put = bytes.value.length === 0 ? ok(undefined) : await begun.value.put(bytes.value);
  const whole = put.ok ? await begun.value.finish() : put;
  if (!whole.ok) await begun.value.discard();
  return whole;
}

function withFiles(store: AccountStore, roomId: string, limit: number): Result<readonly StoredMessage[]> {
  const found: StoredMessage[] = [];
  let count = 0;
  let before: string | undefined;
  try {
    for (let seen = 0; seen < deepest && count < limit; seen += pageSize) {
      const page = store.history({ roomId, limit: pageSize, ...(before ? { before } : {}) });
      for (const message of page.messages.toReversed()) {
        const files = attachmentsOf(message).length;
        if (files === 0 || count >= limit) continue;
        found.unshift(message);
        count += files;
      }
      before = page.messages[0]?.envelopeId;
      if (!page.hasMore) break;
    }
    return ok(found);
  } catch (error) {
    if (error instanceof StoreError) return err(error.toAppError());
    throw error;
  }
}

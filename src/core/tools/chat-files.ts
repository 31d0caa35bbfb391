/** Ports of files in the chat: outgoing files on disk, received files, and both as agents use them. */
import type { Result } from '../../contract/result.ts';
import type { ImageBlock } from '../models/messages.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { MessageSearchPort, MessagingPort } from './chat-ports.ts';

/** Sealed files of one account that wait for their message to be sent; only the message has their keys. */
export interface OutgoingFiles {
  /** `not_found` if the file is no longer stored. */
  read(localFile: string): Promise<Result<Uint8Array>>;
  /** Ignores missing files. */
  remove(localFiles: readonly string[]): void;
}

export interface ReceivedFile {
  /** Path below the workspace; if the fetch failed, only a name. */
  readonly path: string;
  /** Why the fetch failed, as a sentence; `null` on success. */
  readonly failure: string | null;
  /** Picture for a model with vision; `null` if none. */
  readonly image: ImageBlock | null;
}

/** Downloads the files of messages into an agent's workspace. */
export interface FileIntake {
  /**
   * In the order of the message; repeatable with the same result. Never rejects for errors of a sender,
   * server or disk.
   */
  fetch(message: StoredMessage, signal: AbortSignal): Promise<readonly ReceivedFile[]>;
}

/** A file that an agent sends, as it was when it was assessed. */
export interface FileToSend {
  readonly filename: string;
  readonly mimeType: string;
  read(): Promise<Result<Uint8Array>>;
}

/** Files in the team chat, as agents may use them. */
export interface ChatFilesPort {
  /**
   * Like `MessagingPort.send`; when it resolves, the files are sealed and on disk. Only one file is in memory
   * at a time.
   */
  sendFiles(
    message: Omit<Parameters<MessagingPort['send']>[0], 'files'> & { readonly files: readonly FileToSend[] },
  ): Promise<Result<{ readonly messageId: string }>>;
  /**
   * Fetches the files of the latest messages of a channel, about `limit` files in all; oldest message first.
   */
  fetchFiles(channel: string, limit: number, signal: AbortSignal): Promise<Result<readonly FetchedFiles[]>>;
}

export interface FetchedFiles {
  readonly messageId: string;
  readonly senderSlug: string;
  /** ms since the epoch. */
  readonly sentAt: number;
  readonly files: readonly ReceivedFile[];
}

export type TeamChat = MessagingPort & MessageSearchPort & ChatFilesPort;

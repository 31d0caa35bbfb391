/** What files in the chat need of the outside: their place on the disk while they go out, and what the outbox knows of them. */
import type { Result } from '../contract/result.ts';
import type { MessageSearchPort, MessagingPort } from './chat-ports.ts';
import type { ImageBlock } from './models/messages.ts';
import type { OutboxRow, StoredMessage } from './ports.ts';

/** Messages with files, on their way out of an account. Throws as `AccountStore` does. */
export interface OutboxFiles {
  /** In outbox and history; a message that is sealed keeps what it was sealed with. */
  setContent(envelopeId: string, content: unknown): void;
  /** Of this content type and not sent, those that failed among them. */
  unsent(contentType: string): readonly OutboxRow[];
  /** A message that failed goes out again, sealed anew for those who are there now. False: it has not failed. */
  retry(envelopeId: string): boolean;
}

/** Sealed files of one account that wait for their message to be sent; only the message knows their keys. */
export interface OutgoingFiles {
  /** `not_found`: it is not kept any more. */
  read(localFile: string): Promise<Result<Uint8Array>>;
  /** Those that are not there are fine. */
  remove(localFiles: readonly string[]): void;
}

/** A file of a message, in an agent's workspace or not. */
export interface ReceivedFile {
  /** Below the workspace; where it could not be had, a name for it. */
  readonly path: string;
  /** A sentence: why it is not there. */
  readonly failure: string | null;
  /** What a model that sees can be shown of it. */
  readonly image: ImageBlock | null;
}

/** Brings the files of messages into an agent's workspace. */
export interface FileIntake {
  /** In the order of the message; done again, it ends the same. Never rejects for what a sender, server or disk did. */
  fetch(message: StoredMessage, signal: AbortSignal): Promise<readonly ReceivedFile[]>;
}

/** A file of an agent that is to be sent, as it was when it was looked at. */
export interface FileToSend {
  readonly filename: string;
  readonly mimeType: string;
  read(): Promise<Result<Uint8Array>>;
}

/** Files in the team chat, as an agent may use it. */
export interface ChatFilesPort {
  /** As `MessagingPort.send`; the files are sealed and on the disk when it resolves, one of them in memory at a time. */
  sendFiles(
    message: Omit<Parameters<MessagingPort['send']>[0], 'files'> & { readonly files: readonly FileToSend[] },
  ): Promise<Result<{ readonly messageId: string }>>;
  /** The latest messages of a channel that carry files, oldest first, about `limit` files in all; fetched. */
  fetchFiles(channel: string, limit: number, signal: AbortSignal): Promise<Result<readonly FetchedFiles[]>>;
}

export interface FetchedFiles {
  readonly messageId: string;
  readonly senderSlug: string;
  /** ms since the epoch. */
  readonly sentAt: number;
  readonly files: readonly ReceivedFile[];
}

/** All that an agent may do in the team chat. */
export type TeamChat = MessagingPort & MessageSearchPort & ChatFilesPort;

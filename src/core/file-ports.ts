/** What files in the chat need of the outside: their place on the disk while they go out, and what the outbox knows of them. */
import type { Result } from '../contract/result.ts';
import type { OutboxRow } from './ports.ts';

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

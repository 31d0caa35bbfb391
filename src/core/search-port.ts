/** Port of the message search in an account's store. */
import type { StoredMessage } from './ports.ts';

/** Full-text search over all messages that an account has received and sent. */
export interface MessageSearch {
  /** Indexes a batch of new messages; true while more remain. */
  catchUp(): boolean;
  /**
   * Newest arrivals first; `before` is the id of a message. Typed text is never query syntax (T25). `null` if
   * messages must be indexed first.
   */
  find(query: {
    readonly words: string;
    readonly roomId?: string;
    readonly before?: string;
    readonly limit: number;
  }): { readonly messages: readonly StoredMessage[]; readonly hasMore: boolean } | null;
}

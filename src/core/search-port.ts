/** The search that an account's store has over its messages. */
import type { StoredMessage } from './ports.ts';

/** Full-text search over all that an account has received and said. */
export interface MessageSearch {
  /** Takes in a part of what came since the last search; true while there is more of it. */
  catchUp(): boolean;
  /**
   * The newest arrivals first; `before` is the id of a message. What was typed is words and no syntax (T25). Null: there
   * is something to take in first.
   */
  find(query: {
    readonly words: string;
    readonly roomId?: string;
    readonly before?: string;
    readonly limit: number;
  }): { readonly messages: readonly StoredMessage[]; readonly hasMore: boolean } | null;
}

/** Team chat as agents may use it. */
import type { Result } from '../../contract/result.ts';
import type { LocalFile } from '../puffo/message-files.ts';
import type { RoomFilter } from './tool.ts';

export interface ChatPost {
  readonly id: string;
  readonly roomId: string;
  readonly senderSlug: string;
  readonly senderName: string;
  readonly senderAgent: boolean;
  readonly text: string;
  /** File names as the sender wrote them. */
  readonly files?: readonly string[];
  readonly sentAt: number;
  readonly threadRootId: string | null;
  readonly replies: number;
}

/**
 * Protocol spec §7. Rooms are channel ids or `@slug`; `#name` is refused. Reads come from the agent's own
 * store.
 */
export interface MessagingPort {
  whoami(): Promise<Result<Readonly<Record<string, string>>>>;
  /** Room and thread of the running turn; messages elsewhere are riskier. */
  here(turnId: string): { readonly channel: string; readonly rootId: string } | null;
  /** Stores the message in the durable outbox; a repeated `callId` returns the same message. */
  send(message: {
    readonly turnId: string;
    readonly callId: string;
    readonly channel: string;
    readonly text: string;
    readonly visible: boolean;
    readonly rootId: string;
    /** Sealed, in display order. */
    readonly files?: readonly LocalFile[];
  }): Promise<Result<{ readonly messageId: string }>>;
  channels(): Promise<
    Result<
      readonly {
        readonly id: string;
        readonly name: string;
        readonly spaceId: string;
        readonly encrypted: boolean;
      }[]
    >
  >;
  /** Storage id of a channel, or of a person's direct messages. */
  roomOf(channel: string): string;
  /**
   * Display name beside the id, which alone identifies the room; empty if it is no channel or has no known
   * name.
   */
  channelName(channel: string): Promise<string>;
  members(channel: string): Promise<
    Result<
      readonly {
        readonly slug: string;
        readonly displayName: string;
        readonly agent: boolean;
        readonly role: string;
      }[]
    >
  >;
  /** Roots with reply counts, newest last, at most 200. */
  channelHistory(
    channel: string,
    query: {
      readonly limit: number;
      readonly since?: string;
      readonly before?: number;
      readonly after?: number;
    },
  ): Promise<Result<readonly ChatPost[]>>;
  threadHistory(rootId: string, limit: number): Promise<Result<readonly ChatPost[]>>;
  post(id: string): Promise<Result<ChatPost>>;
  user(slug: string): Promise<
    Result<{
      readonly slug: string;
      readonly displayName: string;
      readonly role: string;
      readonly agent: boolean;
    }>
  >;
}

export interface MessageSearchPort {
  /** Newest matches, oldest first. `channel`: as in `MessagingPort`; empty for all rooms of the agent. */
  search(query: {
    readonly words: string;
    readonly channel: string;
    readonly limit: number;
    /** Limits the search to these rooms; absent for all. */
    readonly mayRead?: RoomFilter;
  }): Promise<
    Result<{
      readonly posts: readonly ChatPost[];
      readonly more: boolean;
      /** Number of rooms not searched, whether or not they contain matches. */
      readonly leftOut: number;
    }>
  >;
}

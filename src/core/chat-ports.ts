/** The team chat, as an agent may use it. */
import type { Result } from '../contract/result.ts';
import type { LocalFile } from './puffo/message-files.ts';
import type { RoomFilter } from './tool-ports.ts';

export interface ChatPost {
  readonly id: string;
  readonly roomId: string;
  readonly senderSlug: string;
  readonly senderName: string;
  readonly senderAgent: boolean;
  readonly text: string;
  /** Names of the files it carries, as their sender named them. */
  readonly files?: readonly string[];
  readonly sentAt: number;
  readonly threadRootId: string | null;
  readonly replies: number;
}

/** Protocol spec §7. Rooms are channel ids or `@slug`; `#name` is refused. Reads come from the agent's own store. */
export interface MessagingPort {
  whoami(): Promise<Result<Readonly<Record<string, string>>>>;
  /** The room and thread of the turn that runs; sends elsewhere are riskier. */
  here(turnId: string): { readonly channel: string; readonly rootId: string } | null;
  /** Into the outbox, durable; `callId` makes a repeated send the same message. */
  send(message: {
    readonly turnId: string;
    readonly callId: string;
    readonly channel: string;
    readonly text: string;
    readonly visible: boolean;
    readonly rootId: string;
    /** Sealed, in the order in which they are shown. */
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
  /** The id under which messages of a room, or of a person's direct messages, are kept. */
  roomOf(channel: string): string;
  /** For people to read beside the id, which alone counts; empty for what is no channel or has no known name. */
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
  /** The newest that hold the words, oldest of them first. `channel`: as above; empty: wherever the agent is. */
  search(query: {
    readonly words: string;
    readonly channel: string;
    readonly limit: number;
    /** Only rooms that it allows are searched; absent: all. */
    readonly mayRead?: RoomFilter;
  }): Promise<
    Result<{
      readonly posts: readonly ChatPost[];
      readonly more: boolean;
      /** Rooms that were not searched, whether or not the words are in them. */
      readonly leftOut: number;
    }>
  >;
}

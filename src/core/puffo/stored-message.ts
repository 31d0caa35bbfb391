/** Messages of an account as stored, received and outgoing. */

import type { ChannelId, RoomId, SpaceId } from '../../contract/room-id.ts';
import type { HostText } from '../../language/host-message.ts';

/** A decrypted, verified message as stored. `content` is a string for text/plain, otherwise JSON. */
export interface StoredMessage {
  readonly envelopeId: string;
  readonly kind: 'channel' | 'dm';
  readonly roomId: RoomId;
  readonly senderSlug: string;
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
  readonly contentType: string;
  readonly content: unknown;
  /** ms since the epoch, by the sender. */
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly threadRootId: string | null;
  readonly replyToId: string | null;
  readonly visible: boolean;
  readonly encrypted: boolean;
  /** Only on arrival, not stored: its sender says that it follows a script. */
  readonly scripted?: true;
}

/** A message to send; `envelopeId` is the idempotency key and never changes. */
export interface OutboxDraft {
  readonly envelopeId: string;
  readonly kind: 'channel' | 'dm';
  readonly spaceId: SpaceId | null;
  readonly channelId: ChannelId | null;
  readonly recipientSlug: string | null;
  /** Further conversation of the direct message; absent for the main one. */
  readonly conversationId?: string | null;
  readonly threadRootId: string | null;
  readonly contentType: string;
  readonly content: unknown;
  readonly visible: boolean;
  readonly createdAt: number;
}

export interface OutboxRow extends OutboxDraft {
  readonly state: 'queued' | 'sealed' | 'sent' | 'failed';
  /** Request body exactly as first sealed (JSON): a repeated send is byte for byte the same. */
  readonly sealed: string | null;
  /** base64url content key of `sealed`, to wrap for devices that the server reports missing. */
  readonly contentKey: string | null;
  readonly attempts: number;
  readonly error: HostText | null;
}

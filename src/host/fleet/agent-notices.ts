import { conversationIdIn, dmRoomId } from '../../contract/room-id.ts';
import { utcMinute } from '../../core/lib/utc-time.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { type AgentBrakes, brakeNotice } from './brakes.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { readerOf, wireRoot } from './host-prompts.ts';
import type { OpenedAgent } from './open-agent.ts';
import { createSenderLimits, limitNotice, type SenderLimits } from './sender-limits.ts';

// Notices that the host sends in the name of an agent that does not answer: the reason, and until when.

export interface NoticeDeps {
  readonly clock: Clock;
  /** `limits` of daemon.yml. */
  limits(): { readonly sender_messages: number };
}

interface Speaking {
  readonly opened: OpenedAgent;
  readonly brakes: AgentBrakes;
  readonly senders: SenderLimits;
  account(): Account;
}

/** The operator and the operator's agents have no limit. */
export const sendersOf = (
  { clock, limits }: NoticeDeps,
  { store }: OpenedAgent,
  audience: Pick<AudiencePort, 'isOwnRoom'>,
): SenderLimits =>
  createSenderLimits({
    store,
    now: clock.now,
    isOwn: (slug) => audience.isOwnRoom(dmRoomId(slug)),
    limit: () => limits().sender_messages,
  });

interface Under {
  readonly message: StoredMessage;
  readonly rootId: string;
}

/** Once per stop, for people; it mentions no agent. */
export function sayStopped(clock: Clock, speaking: Speaking, under: Under): void {
  const { roomId } = under.message;
  const why = speaking.brakes.list().find((one) => one.roomId === roomId)?.why ?? '';
  sayUnder(speaking, under, { what: 'brake', content: brakeNotice(why), at: clock.now() });
}

/**
 * Once per hour and sender. Returns ms since the epoch from which the agent answers the sender again, or `null`
 * if the sender was told before.
 */
export function sayLimited({ clock, limits }: NoticeDeps, speaking: Speaking, under: Under): number | null {
  const until = speaking.senders.tell(under.message.senderSlug);
  if (until === null) return null;
  const at = clock.now();
  const content = limitNotice(limits().sender_messages, until, at);
  sayUnder(speaking, under, { what: 'sender-limit', content, at });
  return until;
}

/** Under a message whose turn waits for the limit of a plan, once per end of the wait. */
export function sayParked(
  speaking: Pick<Speaking, 'opened' | 'account'>,
  under: Under,
  { until, at }: { readonly until: number; readonly at: number },
): void {
  const time = utcMinute(until);
  const content = `My model accepts no requests until ${time}. I keep your message and answer it then by myself.`;
  sayUnder(speaking, under, { what: `parked-${time}`, content, at });
}

interface Notice {
  /** Determines the id of the notice together with the message. */
  readonly what: string;
  readonly content: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** Sends a notice in the name of the agent. */
function sayUnder(
  { opened, account }: Pick<Speaking, 'opened' | 'account'>,
  { message, rootId }: Under,
  { what, content, at }: Notice,
): void {
  const { store, identity, crypto } = opened;
  const { kind, spaceId, channelId, envelopeId } = message;
  store.enqueue(
    {
      envelopeId: derivedEnvelopeId(crypto, identity.slug, what, envelopeId),
      kind,
      spaceId,
      channelId,
      recipientSlug: readerOf(message),
      conversationId: conversationIdIn(message.roomId),
      threadRootId: wireRoot(rootId),
      contentType: 'text/plain',
      content,
      visible: true,
      createdAt: at,
    },
    identity.slug,
  );
  account().kickOutbox();
}

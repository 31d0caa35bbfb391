import { dmRoomId } from '../../contract/room-id.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { HostPorts } from '../host-ports.ts';
import { type AgentBrakes, brakeNotice } from './brakes.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { readerOf, wireRoot } from './own-words.ts';
import { createSenderLimits, limitNotice, type SenderLimits } from './sender-limits.ts';
import type { ContextDeps } from './turn-context.ts';

// Notices that the host sends in the name of an agent that does not answer: the reason, and until when.

interface NoticeDeps {
  readonly ports: Pick<HostPorts, 'clock'>;
  readonly parts: { readonly crypto: CryptoEngine };
  readonly context: Pick<ContextDeps, 'settings'>;
  /** `until` is in ms since the epoch. */
  onSenderLimit(agentId: string, slug: string, until: number): void;
}

interface Speaking {
  readonly opened: { readonly identity: Identity; readonly store: AccountStore };
  readonly brakes: AgentBrakes;
  readonly senders: SenderLimits;
  account(): Account;
}

/** The operator and the operator's agents have no limit. */
export const sendersOf = (
  { ports, context }: Pick<NoticeDeps, 'ports' | 'context'>,
  store: AccountStore,
  audience: () => Pick<AudiencePort, 'isOwnRoom'>,
): SenderLimits =>
  createSenderLimits({
    store,
    now: ports.clock.now,
    isOwn: (slug) => audience().isOwnRoom(dmRoomId(slug)),
    limit: () => context.settings.config().limits.sender_messages,
  });

interface Under {
  readonly message: StoredMessage;
  readonly rootId: string;
}

/** Once per stop, for people; it mentions no agent. */
export function sayStopped(deps: NoticeDeps, living: Speaking, under: Under): void {
  const { roomId } = under.message;
  const why = living.brakes.list().find((one) => one.roomId === roomId)?.why ?? '';
  sayUnder(deps, living, under, 'brake', brakeNotice(why));
}

/** Once per hour and sender. */
export function sayLimited(deps: NoticeDeps, id: string, living: Speaking, under: Under): void {
  const { senderSlug } = under.message;
  const until = living.senders.tell(senderSlug);
  if (until === null) return;
  const { sender_messages: limit } = deps.context.settings.config().limits;
  sayUnder(deps, living, under, 'sender-limit', limitNotice(limit, until, deps.ports.clock.now()));
  deps.onSenderLimit(id, senderSlug, until);
}

/** Sends a notice in the name of the agent; `what` and the message determine its id. */
function sayUnder(
  deps: NoticeDeps,
  { opened, account }: Speaking,
  { message, rootId }: Under,
  what: string,
  content: string,
): void {
  const { store, identity } = opened;
  const { kind, spaceId, channelId, envelopeId } = message;
  store.enqueue(
    {
      envelopeId: derivedEnvelopeId(deps.parts.crypto, identity.slug, what, envelopeId),
      kind,
      spaceId,
      channelId,
      recipientSlug: readerOf(message),
      threadRootId: wireRoot(rootId),
      contentType: 'text/plain',
      content,
      visible: true,
      createdAt: deps.ports.clock.now(),
    },
    identity.slug,
  );
  account().kickOutbox();
}

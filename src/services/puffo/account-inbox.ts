/**
 * Takes received messages: verifies and stores them, with the names of their rooms and of members that they
 * mention, if these load in time.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { mayMentionByName } from '../../contract/mentions.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { atMost } from '../../core/lib/at-most.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { MessageIntake } from '../../core/puffo/message-intake.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AccountPorts, AccountUse } from './account-types.ts';
import type { Identities } from './identities.ts';
import type { Rooms } from './rooms.ts';

export interface AccountInboxDeps {
  readonly identity: Identity;
  readonly identities: Identities;
  readonly rooms: Rooms;
  readonly store: AccountStore;
  readonly ports: AccountPorts;
  readonly use: AccountUse;
}

/** ms that a message may be delayed to get the names of its rooms. */
const namesWaitMs = 2_000;

export function createAccountInbox(deps: AccountInboxDeps): MessageIntake {
  const { identity, identities, store, use } = deps;
  const { crypto, clock, log } = deps.ports;
  const { events } = use;
  return new MessageIntake({
    judge: { identity, identities, crypto },
    store,
    clock,
    triggers: {
      prepare: (messages) => loadNamed(deps, messages),
      decide: (message) => use.decide(message),
    },
    events: {
      onRefused(reason) {
        log.warn('inbox.refused', { reason });
        events.onRefused(reason);
      },
      onHeld: (message) => events.onHeld?.(message),
      onStoreFault(error) {
        log.error('inbox.store_failed', { code: error.code });
        events.onStoreFault?.(error);
      },
    },
    breathe,
  });
}

/** Resolves when the rooms of the messages have names, or after two seconds. */
export async function waitForRoomNames(
  { rooms, ports }: Pick<AccountInboxDeps, 'rooms' | 'ports'>,
  messages: readonly StoredMessage[],
): Promise<void> {
  const channels = messages.flatMap(({ channelId }) => (channelId === null ? [] : [channelId]));
  await atMost(ports.clock, namesWaitMs, rooms.ensure([...new Set(channels)]));
}

/** Loads the members of channels in which a message may mention one by name. Never fails. */
async function loadNamed(
  { rooms, store, ports }: AccountInboxDeps,
  messages: readonly StoredMessage[],
): Promise<void> {
  const channels = new Map<ChannelId, SpaceId>();
  for (const message of messages) {
    const { channelId, spaceId } = message;
    if (channelId === null || spaceId === null || channels.has(channelId)) continue;
    if (mayName(store, message)) channels.set(channelId, spaceId);
  }
  if (channels.size === 0) return;
  const loads = [...channels].map(([id, spaceId]) => rooms.loadMembers({ id, spaceId }));
  await atMost(ports.clock, namesWaitMs, Promise.all(loads));
}

/** Returns true if the message, or the one that it answers, may mention a member by name. */
function mayName(store: AccountStore, message: StoredMessage): boolean {
  if (mayMentionByName(messageText(message).text)) return true;
  const { threadRootId } = message;
  const root = threadRootId === null ? null : despiteStore(() => store.message(threadRootId), null);
  return root !== null && mayMentionByName(messageText(root).text);
}

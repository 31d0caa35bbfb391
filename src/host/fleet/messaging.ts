import { ok } from '../../contract/result.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { PersonProfile } from '../../core/puffo/registry-store.ts';
import type { ChatFilesPort } from '../../core/tools/chat-files.ts';
import type { MessageSearchPort, MessagingPort } from '../../core/tools/chat-ports.ts';
import type { MessageReading } from './message-reading.ts';
import type { MessageSending } from './message-sending.ts';
import { type ChatAccount, findMessagingRoom, knownRooms, messagingRoom } from './messaging-rooms.ts';

export interface MessagingDeps {
  readonly account: ChatAccount;
  readonly identity: Pick<Identity, 'slug' | 'deviceId' | 'serverUrl'>;
  readonly sending: MessageSending;
  readonly reading: MessageReading;
  readonly files: ChatFilesPort;
}

/** The team chat for one agent: reads its own store and sends through its outbox. */
export interface AgentMessaging
  extends MessagingPort,
    MessageSearchPort,
    ChatFilesPort,
    Pick<MessageSending, 'sentHere'> {}

export function createAgentMessaging(deps: MessagingDeps): AgentMessaging {
  const { account, identity, sending, reading, files } = deps;
  return {
    ...sending,
    ...files,
    ...reading,
    whoami: async () => ok(describeSelf(identity)),
    channels: async () => {
      const rooms = await knownRooms(account);
      if (!rooms.ok) return rooms;
      return ok(rooms.value.map(({ id, name, spaceId, encrypted }) => ({ id, name, spaceId, encrypted })));
    },
    roomOf: messagingRoom,
    channelName: async (channel) => {
      const name = account.channelName(channel);
      return name === channel ? '' : name;
    },
    members: async (channel) => {
      const place = await findMessagingRoom(account, channel);
      if (!place.ok) return place;
      if (place.value.kind === 'dm') {
        const people = [identity.slug, place.value.slug].map((slug) => account.person(slug));
        return ok((await Promise.all(people)).map(asMember));
      }
      const { roomId } = place.value;
      const room = account.rooms().channels.find(({ id }) => id === roomId);
      return ok((room?.members ?? []).map((member) => ({ ...member })));
    },
    user: async (slug) => ok(asMember(await account.person(slug))),
  };
}

const asMember = ({ slug, displayName, agent, role }: PersonProfile) => ({ slug, displayName, agent, role });

const describeSelf = ({
  slug,
  deviceId,
  serverUrl,
}: MessagingDeps['identity']): Readonly<Record<string, string>> => ({
  slug,
  device: deviceId,
  server: serverUrl,
});

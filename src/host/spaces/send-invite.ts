import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { withoutEndSlashes } from '../../core/puffo/server-url.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { Handlers } from '../dispatch.ts';
import { joinTexts } from '../join-texts.ts';
import { findWhom, type Whom } from './find-person.ts';
import type { Channel } from './find-space.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { spaceError } from './space-errors.ts';

const mayInvite = say('spaces.mayInvite');

interface Place {
  readonly spaceId: string;
  readonly spaceName: string;
  readonly channel: Channel | null;
}

type Reached = 'in' | 'invited';

export interface SendInviteDeps {
  readonly home: OperatorSpaces;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly chat: {
    readonly people: {
      all(): Iterable<{ readonly slug: string; readonly displayName: string }>;
      get(slug: string): { readonly displayName: string };
    };
    refreshRooms(): void;
  };
  /** The operator's server, or `null` while not signed in. */
  serverUrl(): string | null;
  isOnline(agentId: string): boolean;
  /** Returns `false` if the agent's own client answers once it is connected. */
  acceptOwnInvite(agentId: string, spaceId: string): Promise<boolean>;
}

export function createSendInvite(deps: SendInviteDeps): Pick<Handlers, 'invites.send'> {
  const { home, agents, chat } = deps;
  return {
    'invites.send': async ({ space, channel, who }) => {
      const account = home.account();
      if (!account.ok) return account;
      const whom = findWhom({ agents, people: () => chat.people.all() }, who);
      if (!whom.ok) return whom;
      const sameServer = livesHere(deps, whom.value);
      if (!sameServer.ok) return sameServer;
      const place = await placeOf(home, space, channel);
      if (!place.ok) return place;
      const sent = await send(deps, account.value, place.value, whom.value);
      chat.refreshRooms();
      return sent.ok ? ok({ note: noteOf(deps, place.value, whom.value, sent.value) }) : sent;
    },
  };
}

/** An own agent at another server cannot be invited. */
function livesHere({ agents, serverUrl }: SendInviteDeps, { agentId }: Whom): Result<void> {
  const agent = agentId === null ? null : agents.get(agentId);
  if (!agent) return ok(undefined);
  const { server_url: there } = configInForce(agent).puffo_core;
  const here = serverUrl() ?? there;
  return withoutEndSlashes(there) === withoutEndSlashes(here) || isLoopback(there)
    ? ok(undefined)
    : err(fail('conflict', 'spaces.agentOnAnotherServer', { id: agent.id, there }));
}

/** The embedded relay's port changes, so a saved address may be outdated. */
const isLoopback = (url: string): boolean => /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])/.test(url);

async function placeOf(
  home: OperatorSpaces,
  space: string | undefined,
  channel: string | undefined,
): Promise<Result<Place>> {
  if (channel === undefined && space === undefined) {
    return err(fail('invalid_input', 'spaces.nameSpaceOrChannel', {}, { where: 'space' }));
  }
  const room = channel === undefined ? null : await home.channel(channel, space);
  if (room && !room.ok) return room;
  const found = await home.space(room ? room.value.spaceId : (space ?? ''));
  if (!found.ok) return found;
  return ok({ spaceId: found.value.id, spaceName: found.value.name, channel: room?.value ?? null });
}

/** Invites to the space or to the channel; an existing member or invitation is not an error. */
async function step(
  account: Account,
  { spaceId }: Place,
  channelId: string | null,
  { slug }: Whom,
  home: OperatorSpaces,
): Promise<Result<Reached>> {
  const { spaces } = account;
  const sent = await spaces.invite(spaceId, channelId, slug);
  if (!sent.ok && sent.error.status === 404) {
    return err(fail('not_found', 'spaces.unknownPerson', { name: slug }, { where: 'who' }));
  }
  if (!sent.ok && sent.error.status !== 409) return home.done(Promise.resolve(sent), mayInvite);
  if (channelId !== null) {
    const list = account.rooms().channels.find(({ id }) => id === channelId)?.members ?? [];
    return ok(list.some((member) => member.slug === slug) ? 'in' : 'invited');
  }
  const members = await spaces.members(spaceId);
  if (!members.ok) return err(spaceError(members.error, mayInvite));
  return ok(members.value.some((member) => member.slug === slug) ? 'in' : 'invited');
}

interface Sent {
  readonly space: Reached;
  /** `null` if not requested, or not possible yet. */
  readonly channel: Reached | null;
}

async function send(
  { home, acceptOwnInvite }: SendInviteDeps,
  account: Account,
  place: Place,
  whom: Whom,
): Promise<Result<Sent>> {
  const asked = await step(account, place, null, whom, home);
  const { agentId } = whom;
  const isOwnAgent = asked.ok && asked.value === 'invited' && agentId !== null;
  const joined = isOwnAgent && (await acceptOwnInvite(agentId, place.spaceId));
  const space = joined ? ok<Reached>('in') : asked;
  if (!space.ok || place.channel === null || space.value !== 'in') {
    return space.ok ? ok({ space: space.value, channel: null }) : space;
  }
  const channel = await step(account, place, place.channel.id, whom, home);
  return channel.ok ? ok({ space: 'in', channel: channel.value }) : channel;
}

function noteOf(deps: SendInviteDeps, { spaceName, channel }: Place, whom: Whom, sent: Sent): HostText {
  const shown = deps.chat.people.get(whom.slug).displayName;
  // Display names are not unique, so the slug is shown too.
  const name = whom.agentId !== null || shown === whom.slug ? shown : `${shown} (${whom.slug})`;
  const reached = sent.channel ?? sent.space;
  const where = sent.channel !== null && channel ? `#${channel.name}` : spaceName;
  const agent = whom.agentId === null ? null : deps.agents.get(whom.agentId);
  if (reached === 'in') {
    return !agent || deps.isOnline(agent.id)
      ? say('spaces.isIn', { name, where })
      : say('spaces.isInOffline', { name, where });
  }
  const then =
    channel && sent.channel === null ? say('spaces.thenInvite', { name, channel: channel.name }) : '';
  const invited = agent
    ? say('spaces.joinsByItself', { name, where })
    : say('spaces.hasToAccept', { name, where });
  return joinTexts([invited, then]);
}

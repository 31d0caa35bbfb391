import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Account, Invite } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { acceptOwnInvite } from './accept-own-invite.ts';
import type { SignerContext } from './agent-signer.ts';
import { findWhom, type Whom } from './find-person.ts';
import type { Channel } from './find-space.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { viewInvite } from './received-invites.ts';
import { spaceError } from './space-errors.ts';

type InviteMethods = Pick<Handlers, 'invites.send' | 'invites.list' | 'invites.answer'>;
type Context = Pick<HostContext, 'operator' | 'chat' | 'invites'> & SignerContext;

const mayInvite = 'Only members may invite, and into a channel only those who are in it.';
/** ms that a listing waits at most for the server. */
const lookMs = 600;
const pollMs = 20;

interface Place {
  readonly spaceId: string;
  readonly spaceName: string;
  readonly channel: Channel | null;
}

type Reached = 'in' | 'invited';

export function createInviteHandlers(context: Context, home: OperatorSpaces): InviteMethods {
  const { chat, invites, ports } = context;
  const lookAgain = async (account: Account, found: () => boolean): Promise<void> => {
    account.lookAtInvites();
    const end = ports.clock.monotonic() + lookMs;
    while (!found() && ports.clock.monotonic() < end) {
      await new Promise<void>((resolve) => ports.clock.after(pollMs, resolve));
    }
  };
  return {
    'invites.send': async ({ space, channel, who }) => {
      const account = home.account();
      if (!account.ok) return account;
      const whom = findWhom(context, who);
      if (!whom.ok) return whom;
      const sameServer = livesHere(context, whom.value);
      if (!sameServer.ok) return sameServer;
      const place = await placeOf(home, space, channel);
      if (!place.ok) return place;
      const sent = await send(context, account.value, place.value, whom.value, home);
      chat.refreshRooms();
      return sent.ok ? ok({ note: noteOf(context, place.value, whom.value, sent.value) }) : sent;
    },
    'invites.list': async () => {
      const account = home.account();
      if (!account.ok) return account;
      await lookAgain(account.value, () => invites.all().length > 0);
      const online = account.value.connection().state === 'online';
      return ok({
        received: invites.all().map((invite) => viewInvite(invite, nameIn(context))),
        note: online ? '' : 'You are not connected; this is what was known before.',
      });
    },
    'invites.answer': async ({ invite: wanted, accept }) => {
      const account = home.account();
      if (!account.ok) return account;
      const find = () => findInvite(invites.all(), wanted);
      if (find() === null) await lookAgain(account.value, () => find() !== null);
      const invite = find();
      if (!invite) return err(gone);
      const answered = await account.value.answerInvite(invite, accept);
      const over = !answered.ok && ['not_found', 'conflict'].includes(answered.error.code);
      if (answered.ok || over) invites.answered(invite.eventId);
      if (over) return err(appError('not_found', `${gone.message} ${answered.error.message}`));
      if (!answered.ok) return answered;
      if (accept) await account.value.refreshRooms();
      chat.refreshRooms();
      return ok({});
    },
  };
}

export const gone = appError('not_found', 'This invitation is not open any more.', {
  hint: 'Run "kennel invites" for those that are.',
});

export const nameIn =
  ({ chat }: Pick<Context, 'chat'>) =>
  (slug: string): string =>
    chat.people.get(slug).displayName;

/** Finds an invitation by id or unique prefix. */
export function findInvite<T extends Invite>(all: readonly T[], wanted: string): T | null {
  const exact = all.find(({ eventId }) => eventId === wanted);
  if (exact) return exact;
  const begun = all.filter(({ eventId }) => eventId.startsWith(wanted));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** An own agent at another server cannot be invited. */
function livesHere({ agents, operator }: Context, { agentId }: Whom): Result<void> {
  const agent = agentId === null ? null : agents.get(agentId);
  if (!agent) return ok(undefined);
  const { server_url: there } = configInForce(agent).puffo_core;
  const here = operator.session()?.record.serverUrl ?? there;
  const plain = (url: string): string => url.replace(/\/+$/, '');
  return plain(there) === plain(here) || isLoopback(there)
    ? ok(undefined)
    : err(appError('conflict', `${agent.id} lives at ${there}, not at your server.`));
}

/** The embedded relay's port changes, so a saved address may be outdated. */
const isLoopback = (url: string): boolean => /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])/.test(url);

async function placeOf(
  home: OperatorSpaces,
  space: string | undefined,
  channel: string | undefined,
): Promise<Result<Place>> {
  if (channel === undefined && space === undefined) {
    return err(appError('invalid_input', 'Say where to: a space or a channel.', { where: 'space' }));
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
    return err(appError('not_found', `Nobody at your server is called ${slug}.`, { where: 'who' }));
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
  context: Context,
  account: Account,
  place: Place,
  whom: Whom,
  home: OperatorSpaces,
): Promise<Result<Sent>> {
  const asked = await step(account, place, null, whom, home);
  const { agentId } = whom;
  const isOwnAgent = asked.ok && asked.value === 'invited' && agentId !== null;
  const joined = isOwnAgent && (await acceptOwnInvite(context, agentId, place.spaceId));
  const space = joined ? ok<Reached>('in') : asked;
  if (!space.ok || place.channel === null || space.value !== 'in') {
    return space.ok ? ok({ space: space.value, channel: null }) : space;
  }
  const channel = await step(account, place, place.channel.id, whom, home);
  return channel.ok ? ok({ space: 'in', channel: channel.value }) : channel;
}

function noteOf(context: Context, { spaceName, channel }: Place, whom: Whom, sent: Sent): string {
  const shown = nameIn(context)(whom.slug);
  // Display names are not unique, so the slug is shown too.
  const name = whom.agentId !== null || shown === whom.slug ? shown : `${shown} (${whom.slug})`;
  const reached = sent.channel ?? sent.space;
  const where = sent.channel !== null && channel ? `#${channel.name}` : spaceName;
  const agent = whom.agentId === null ? null : context.agents.get(whom.agentId);
  if (reached === 'in') {
    if (!agent) return `${name} is in ${where}.`;
    const running = context.fleet.post(agent.id)?.connection === 'online';
    return running
      ? `${name} is in ${where}.`
      : `${name} is in ${where}. It is not connected now, and reads there once it runs.`;
  }
  const then =
    channel && sent.channel === null
      ? ` Then invite ${name} to #${channel.name}: that is possible for members of the space only.`
      : '';
  return agent
    ? `${name} is invited to ${where}, and joins by itself as soon as it is connected.${then}`
    : `${name} is invited to ${where}, and has to accept it first.${then}`;
}

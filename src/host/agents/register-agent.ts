import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts, OperatorSession } from '../operator.ts';
import { acceptOwnInvite } from '../spaces/accept-own-invite.ts';
import { configInForce } from './agent-view.ts';

const usernameLength = 32;

/** Servers accept only a-z, digits, dots and hyphens; agent ids allow more. */
export function usernameFor(id: string): string {
  const name = id
    .toLowerCase()
    .replaceAll('_', '-')
    .slice(0, usernameLength)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'agent' : name;
}

/** Name of the space that is created if the operator is in none; every agent needs a space. */
export const ownSpaceName = 'Kennel';

/** The space for new agents: the saved one, else the operator's first one, else a new one. */
async function homeSpace(context: HostContext, operator: OperatorSession): Promise<Result<string>> {
  const known = operator.record.homeSpaceId;
  if (known) return ok(known);
  const { account } = operator.self;
  const looked = await account.refreshRooms();
  if (!looked.ok) return looked;
  const [first] = account.rooms().spaces;
  const made = first ? ok({ spaceId: first.id }) : await account.createSpace(ownSpaceName);
  if (!made.ok) return made;
  const saved = context.operator.setHomeSpace(made.value.spaceId);
  return saved.ok ? ok(made.value.spaceId) : saved;
}

/**
 * Gives an agent an identity that the operator attests, and invites it to the home space. A repeated call
 * after a crash reuses keys that a server may already know.
 */
export function registerIdentity(context: HostContext, agent: LoadedAgent): Promise<Result<LoadedAgent>> {
  const { registrations } = context.identity;
  return registrations.once(agent.id, async () => {
    const operator = context.operator.session();
    const parts = await context.openParts();
    if (!parts.ok) return parts;
    if (!operator) return err(appError('conflict', 'There is no operator who could vouch for the agent.'));
    const noted = registrations.want(agent.id);
    if (!noted.ok) return noted;
    const space = await homeSpace(context, operator);
    if (!space.ok) return space;
    const place = { operator, parts: parts.value, spaceId: space.value };
    const connected = await withIdentity(context, agent, place);
    if (!connected.ok) return connected;
    const { slug } = configInForce(connected.value).puffo_core;
    const invited = await operator.self.account.inviteToSpace(space.value, slug);
    const isIn = invited.ok || invited.error.code === 'conflict';
    if (isIn) await acceptOwnInvite(context, agent.id, space.value);
    if (isIn) registrations.forget(agent.id);
    else context.ports.log.warn('invite_failed', { agent: agent.id, message: invited.error.message });
    context.fleet.apply();
    context.chat.roomsChanged();
    return isIn ? connected : err(notInvited(invited.error));
  });
}

interface Place {
  readonly operator: OperatorSession;
  readonly parts: OpenParts;
  readonly spaceId: string;
}

/** Returns the agent with its identity, saved here before anything reports it. */
async function withIdentity(
  context: HostContext,
  agent: LoadedAgent,
  { operator, parts, spaceId }: Place,
): Promise<Result<LoadedAgent>> {
  const { display_name, role, role_short, puffo_core: known } = configInForce(agent);
  if (known.slug !== '') return ok(agent);
  const [{ registerAgent }, { agentJournal }] = await Promise.all([
    import('../../services/puffo/enrolment.ts'),
    import('../identity/agent-journal.ts'),
  ]);
  const registered = await registerAgent({
    operatorAccount: operator.self.account,
    operatorIdentity: operator.identity,
    username: usernameFor(agent.id),
    displayName: display_name || agent.id,
    ...(role ? { role } : {}),
    ...(role && role_short ? { roleShort: role_short } : {}),
    journal: agentJournal(context, parts, agent.id),
    crypto: parts.crypto,
    clock: context.ports.clock,
  });
  if (!registered.ok) return registered;
  const identity = registered.value;
  const saved = parts.keys.saveIdentity(context.layout.agentKeys(agent.id), identity);
  if (!saved.ok) return saved;
  return context.agents.update(agent.id, {
    puffo_core: {
      server_url: identity.serverUrl,
      slug: identity.slug,
      device_id: identity.deviceId,
      space_id: spaceId,
      operator_slug: operator.self.slug,
    },
  });
}

const notInvited = (error: AppError): AppError =>
  appError(error.code, `The agent is registered but could not be invited: ${error.message}`, {
    hint: 'Kennel tries again by itself; or invite it from the space.',
  });

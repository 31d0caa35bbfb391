import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HostContext } from '../context.ts';
import type { OperatorSession } from '../operator.ts';
import { configInForce } from './agent-view.ts';

const usernameLength = 32;

/** Servers take letters a-z, digits, dots and hyphens; ids allow more. */
export function usernameFor(id: string): string {
  const name = id
    .toLowerCase()
    .replaceAll('_', '-')
    .slice(0, usernameLength)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'agent' : name;
}

/** Made where the operator is in no space at all: agents have to live somewhere. */
export const ownSpaceName = 'Kennel';

/** The space that agents of this operator live in: the one written down, else the first they are in, else a new one. */
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
 * Gives an agent whose files exist an identity attested by the operator, and invites it home. Can be repeated: an
 * identity that was lost between the server's answer and the disk is simply never used.
 */
export async function registerIdentity(
  context: HostContext,
  agent: LoadedAgent,
): Promise<Result<LoadedAgent>> {
  const operator = context.operator.session();
  const parts = await context.openParts();
  if (!parts.ok) return parts;
  if (!operator) return err(appError('conflict', 'There is no operator who could vouch for the agent.'));
  const space = await homeSpace(context, operator);
  if (!space.ok) return space;
  const { display_name, role, role_short } = configInForce(agent);
  const { registerAgent } = await import('../../services/puffo/enrolment.ts');
  const registered = await registerAgent({
    operatorAccount: operator.self.account,
    operatorIdentity: operator.identity,
    username: usernameFor(agent.id),
    displayName: display_name || agent.id,
    ...(role ? { role } : {}),
    ...(role && role_short ? { roleShort: role_short } : {}),
    crypto: parts.value.crypto,
    clock: context.ports.clock,
  });
  if (!registered.ok) return registered;
  const identity = registered.value;
  const saved = parts.value.keys.saveIdentity(context.layout.agentKeys(agent.id), identity);
  if (!saved.ok) return saved;
  const connected = context.agents.update(agent.id, {
    puffo_core: {
      server_url: identity.serverUrl,
      slug: identity.slug,
      device_id: identity.deviceId,
      space_id: space.value,
      operator_slug: operator.self.slug,
    },
  });
  if (!connected.ok) return connected;
  const invited = await operator.self.account.inviteToSpace(space.value, identity.slug);
  if (!invited.ok)
    context.ports.log.warn('invite_failed', { agent: agent.id, message: invited.error.message });
  context.fleet.apply();
  context.chat.roomsChanged();
  return invited.ok ? connected : err(notInvited(invited.error));
}

const notInvited = (error: AppError): AppError =>
  appError(error.code, `The agent is registered but could not be invited: ${error.message}`, {
    hint: 'Invite it from the space itself.',
  });

import { ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { OpenParts, OperatorSession } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';
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

export interface RegisterIdentityDeps {
  readonly agents: Pick<AgentStore, 'update'>;
  readonly disk: DiskPort;
  readonly layout: Layout;
  readonly clock: Clock;
}

export interface AgentEnrolment {
  readonly session: OperatorSession;
  readonly parts: OpenParts;
  readonly spaceId: string;
}

/** Returns the agent with its identity, saved here before anything reports it. */
export type RegisterIdentity = (
  agent: LoadedAgent,
  enrolment: AgentEnrolment,
) => Promise<Result<LoadedAgent>>;

export const createRegisterIdentity =
  ({ agents, disk, layout, clock }: RegisterIdentityDeps): RegisterIdentity =>
  async (agent, { session, parts, spaceId }) => {
    const { display_name, role, role_short, puffo_core: known } = configInForce(agent);
    if (known.slug !== '') return ok(agent);
    const [{ registerAgent }, { agentJournal }] = await Promise.all([
      import('../../services/puffo/registration.ts'),
      import('../identity/agent-journal.ts'),
    ]);
    const registered = await registerAgent({
      operatorAccount: session.self.account,
      operatorIdentity: session.identity,
      username: usernameFor(agent.id),
      displayName: display_name || agent.id,
      ...(role ? { role } : {}),
      ...(role && role_short ? { roleShort: role_short } : {}),
      journal: agentJournal({ disk, layout }, parts, agent.id),
      crypto: parts.crypto,
      clock,
    });
    if (!registered.ok) return registered;
    const identity = registered.value;
    const saved = parts.keys.saveIdentity(layout.agentKeys(agent.id), identity);
    if (!saved.ok) return saved;
    return agents.update(agent.id, {
      puffo_core: {
        server_url: identity.serverUrl,
        slug: identity.slug,
        device_id: identity.deviceId,
        space_id: spaceId,
        operator_slug: session.self.slug,
      },
    });
  };

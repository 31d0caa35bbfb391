import type { AppError } from '../../contract/errors.ts';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { OpenParts, Operator, OperatorSession } from '../identity/operator.ts';
import { configInForce } from './agent-view.ts';
import type { RegisterIdentity } from './register-identity.ts';

/** Name of the space that is created if the operator is in none; every agent needs a space. */
export const ownSpaceName = 'Kennel';

export interface HomeSpaceDeps {
  readonly operator: Pick<Operator, 'setHomeSpace'>;
  /** Accepts, as the agent, the operator's invitation. */
  readonly acceptInvite: (agentId: string, spaceId: string) => Promise<unknown>;
  readonly log: Log;
}

/** The space that new agents join. */
export interface HomeSpace {
  /** The saved one, else the operator's first one, else a new one. */
  find(session: OperatorSession): Promise<Result<string>>;
  invite(session: OperatorSession, agent: LoadedAgent, spaceId: string): Promise<Result<void>>;
}

export const createHomeSpace = ({ operator, acceptInvite, log }: HomeSpaceDeps): HomeSpace => ({
  async find({ record, self }) {
    if (record.homeSpaceId) return ok(record.homeSpaceId);
    const looked = await self.account.refreshRooms();
    if (!looked.ok) return looked;
    const [first] = self.account.rooms().spaces;
    const made = first ? ok({ spaceId: first.id }) : await self.account.createSpace(ownSpaceName);
    if (!made.ok) return made;
    const saved = operator.setHomeSpace(made.value.spaceId);
    return saved.ok ? ok(made.value.spaceId) : saved;
  },
  async invite({ self }, agent, spaceId) {
    const invited = await self.account.inviteToSpace(spaceId, configInForce(agent).puffo_core.slug);
    if (!invited.ok && invited.error.code !== 'conflict') {
      log.warn('invite_failed', { agent: agent.id, message: invited.error.message });
      return invited;
    }
    await acceptInvite(agent.id, spaceId);
    return ok(undefined);
  },
});

export interface RegisterAgentDeps {
  readonly operator: Pick<Operator, 'session'>;
  readonly openParts: () => Promise<Result<OpenParts>>;
  readonly registrations: {
    once(id: string, run: () => Promise<Result<LoadedAgent>>): Promise<Result<LoadedAgent>>;
    want(id: string): Result<void>;
    forget(id: string): void;
  };
  readonly homeSpace: HomeSpace;
  readonly enrol: RegisterIdentity;
  /** Called after the agent has its identity, whether or not it could be invited. */
  readonly onRegistered: () => void;
}

export type RegisterAgent = (agent: LoadedAgent) => Promise<Result<LoadedAgent>>;

/**
 * Gives an agent an identity that the operator attests, and invites it to the home space. A repeated call
 * after a crash reuses keys that a server may already know.
 */
export function createRegisterAgent(deps: RegisterAgentDeps): RegisterAgent {
  const { operator, registrations, homeSpace } = deps;
  const register: RegisterAgent = async (agent) => {
    const session = operator.session();
    const parts = await deps.openParts();
    if (!parts.ok) return parts;
    if (!session) return err(fail('conflict', 'agents.noOperator'));
    const noted = registrations.want(agent.id);
    if (!noted.ok) return noted;
    const space = await homeSpace.find(session);
    if (!space.ok) return space;
    const enrolled = await deps.enrol(agent, { session, parts: parts.value, spaceId: space.value });
    if (!enrolled.ok) return enrolled;
    const invited = await homeSpace.invite(session, enrolled.value, space.value);
    if (invited.ok) registrations.forget(agent.id);
    deps.onRegistered();
    return invited.ok ? enrolled : err(notInvited(invited.error));
  };
  return (agent) => registrations.once(agent.id, () => register(agent));
}

const notInvited = (error: AppError): AppError =>
  fail(error.code, 'agents.inviteFailed', { why: messageOf(error) }, { help: 'agents.waitOrInvite' });

import { hintOf, messageOf } from '../../contract/errors.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Operator } from '../identity/operator.ts';
import type { PendingRegistrations } from '../identity/pending-registrations.ts';
import { isRetryableCode } from '../identity/retryable-code.ts';
import { joinTexts } from '../join-texts.ts';
import { configInForce } from './agent-view.ts';
import type { RegisterAgent } from './register-agent.ts';

const onceOnline = say('identity.getsIdentity');
const scaffolded = say('identity.notConnected');

export interface RegisterNewAgentDeps {
  readonly mode: HostPorts['mode'];
  readonly agents: Pick<AgentStore, 'get'>;
  readonly operator: Pick<Operator, 'record' | 'session'>;
  readonly registrations: Pick<PendingRegistrations, 'want' | 'forget'>;
  readonly registerAgent: RegisterAgent;
}

export interface RegistrationNote {
  readonly registered: boolean;
  readonly note: HostText;
}

/** The part of `agents.create` that decides about the registration. */
export interface RegistrationWish {
  readonly register: boolean;
  readonly serverUrl?: string | undefined;
}

/** A failed registration keeps the agent's files; the note says why the agent has no identity yet. */
export type RegisterNewAgent = (agent: LoadedAgent, wish: RegistrationWish) => Promise<RegistrationNote>;

export const createRegisterNewAgent = (deps: RegisterNewAgentDeps): RegisterNewAgent => {
  const { mode, operator, registrations } = deps;
  return async (agent, { register, serverUrl = '' }) => {
    const session = operator.session();
    const elsewhere = serverUrl !== '' && serverUrl !== session?.record.serverUrl;
    if (!register || elsewhere) return { registered: false, note: scaffolded };
    const record = operator.record();
    if (!record.ok || record.value === null) {
      const missing = mode === 'full' ? say('identity.noOperator') : '';
      return { registered: false, note: joinTexts([scaffolded, missing]) };
    }
    if (mode === 'full' && session) return registerNow(deps, agent);
    const asked = registrations.want(agent.id);
    return { registered: false, note: asked.ok ? onceOnline : messageOf(asked.error) };
  };
};

async function registerNow(
  { agents, registrations, registerAgent }: RegisterNewAgentDeps,
  agent: LoadedAgent,
): Promise<RegistrationNote> {
  const done = await registerAgent(agent);
  if (done.ok) return { registered: true, note: '' };
  const registered = isConfigured(configInForce(agents.get(agent.id) ?? agent));
  const reason = joinTexts([messageOf(done.error), hintOf(done.error)]);
  if (registered) return { registered, note: reason };
  if (isRetryableCode(done.error.code))
    return { registered, note: joinTexts([onceOnline, messageOf(done.error)]) };
  registrations.forget(agent.id);
  return { registered, note: joinTexts([scaffolded, reason]) };
}

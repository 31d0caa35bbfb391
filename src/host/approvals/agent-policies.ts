import type { ConsentRules } from '../../core/approvals/approval-centre-ports.ts';
import type { AgentFacts } from '../../core/approvals/approval-ports.ts';
import { type AgentPolicy, modeInForce } from '../../core/policy/policy-call.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { configInForce } from '../agents/agent-view.ts';
import { agentPolicy, type RootsPlace } from './agent-policy.ts';
import type { OperatorsRoom } from './operators-room.ts';

export interface AgentPoliciesDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly home: string;
  readonly env: RootsPlace['env'];
}

/** Policies from agent.yml and daemon.yml as they are now. */
export interface AgentPolicies {
  /** The policy for an agent's calls, or `null` if the agent does not exist. */
  find(agentId: string): AgentPolicy | null;
  /** Whether the agent's questions go to the operator; false if the agent does not exist. */
  isAttended(agentId: string): boolean;
}

export function createAgentPolicies({ agents, settings, home, env }: AgentPoliciesDeps): AgentPolicies {
  const find = (agentId: string): AgentPolicy | null => {
    const agent = agents.get(agentId);
    if (!agent) return null;
    const { policy, limits } = settings.config();
    return agentPolicy(agent, configInForce(agent), policy, { home, env, workingDir: limits.working_dir });
  };
  return {
    find,
    isAttended(agentId) {
      const policy = find(agentId);
      return policy !== null && modeInForce(policy) !== 'unattended';
    },
  };
}

export interface AgentFactsDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly policies: Pick<AgentPolicies, 'find'>;
  readonly operatorsRoom: OperatorsRoom;
}

/** Facts about an agent that the approval centre needs for a call. */
export const createAgentFacts =
  ({ agents, policies, operatorsRoom }: AgentFactsDeps): ConsentRules['facts'] =>
  ({ agentId, threadKey }): AgentFacts | null => {
    const agent = agents.get(agentId);
    const policy = policies.find(agentId);
    if (!agent || !policy) return null;
    const name = configInForce(agent).display_name || agentId;
    return { name, policy, room: operatorsRoom(agentId, threadKey) };
  };

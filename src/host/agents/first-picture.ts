import { messageOf } from '../../contract/errors.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { Clock } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ProfileSync } from '../identity/profile-sync.ts';
import { waitUntil } from '../wait-until.ts';
import { configInForce } from './agent-view.ts';

const onlineMs = 10_000;

export interface FirstPictureDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly fleet: { account(agentId: string): Pick<Account, 'connection'> | null };
  readonly profiles: Pick<ProfileSync, 'noted' | 'push'>;
  readonly clock: Clock;
  /** Whether agents run in this host. */
  readonly runsAgents: boolean;
}

/**
 * A new agent is usually online within moments, so its picture is uploaded then; otherwise it stays queued.
 * Returns a note for the person, or an empty text.
 */
export const createFirstPicture =
  ({ agents, fleet, profiles, clock, runsAgents }: FirstPictureDeps) =>
  async (id: string, picture: Uint8Array): Promise<HostText> => {
    const noted = profiles.noted(id, [], picture);
    if (!noted.ok) return messageOf(noted.error);
    const agent = agents.get(id);
    const connects = agent !== null && isConfigured(configInForce(agent));
    const online = () => fleet.account(id)?.connection().state === 'online';
    if (connects && runsAgents) await waitUntil(clock, onlineMs, online);
    return profiles.push(id);
  };

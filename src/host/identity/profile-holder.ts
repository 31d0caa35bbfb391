import type { Result } from '../../contract/result.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ProfileField } from '../../services/puffo/profile-sync.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { Layout } from '../layout.ts';
import type { Operator } from './operator.ts';

/** The operator's id in profile synchronization; no agent can have it. */
export const operatorProfile = '@operator';

/**
 * An account of this host with a profile at a server: its files, its values and the account that updates it.
 */
export interface ProfileHolder {
  /** Changes that the server does not have yet. */
  readonly pendingFile: string;
  readonly pendingPicture: string;
  readonly name: string;
  readonly values: Readonly<Record<ProfileField, string>>;
  readonly serverUrl: string;
  readonly registered: boolean;
  readonly account: Account | null;
  savePicture(avatarUrl: string): Result<unknown>;
}

export interface ProfileHolderDeps {
  readonly agents: Pick<AgentStore, 'get' | 'update'>;
  /** The account of a running agent. */
  account(agentId: string): Account | null;
  readonly operator: Pick<Operator, 'record' | 'session' | 'setProfile'>;
  readonly layout: Layout;
}

/** `null` if no account of this host has the id. */
export type FindProfileHolder = (id: string) => ProfileHolder | null;

export function createProfileHolders(deps: ProfileHolderDeps): FindProfileHolder {
  return (id) => (id === operatorProfile ? ofOperator(deps) : ofAgent(deps, id));
}

function ofAgent({ agents, layout, account }: ProfileHolderDeps, id: string): ProfileHolder | null {
  const agent = agents.get(id);
  if (!agent) return null;
  const config = configInForce(agent);
  return {
    pendingFile: layout.pendingProfile(id),
    pendingPicture: layout.pendingPicture(id),
    name: config.display_name || id,
    values: { displayName: config.display_name, role: config.role, roleShort: config.role_short },
    serverUrl: config.puffo_core.server_url,
    registered: isConfigured(config),
    account: account(id),
    savePicture: (avatarUrl) => agents.update(id, { avatar_url: avatarUrl }),
  };
}

function ofOperator({ operator, layout }: ProfileHolderDeps): ProfileHolder | null {
  const record = operator.record();
  if (!record.ok || record.value === null) return null;
  const { displayName, slug, serverUrl } = record.value;
  return {
    pendingFile: layout.ownPendingProfile,
    pendingPicture: layout.ownPendingPicture,
    name: displayName || slug,
    values: { displayName, role: '', roleShort: '' },
    serverUrl,
    registered: true,
    account: operator.session()?.self.account ?? null,
    savePicture: (avatarUrl) => operator.setProfile({ avatarUrl }),
  };
}

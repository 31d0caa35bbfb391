import type { Clock, Log } from '../../core/ports.ts';
import type { AdoptedAgent } from '../../services/bridge/bridge-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { waitUntil } from '../wait-until.ts';

const onlineMs = 15_000;

export interface PublishRoleDeps {
  /** The account of a running agent. */
  account(agentId: string): Pick<Account, 'connection' | 'updateProfile'> | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Publishes the role once the agent is online; best effort. */
export async function publishRole(
  { account, clock, log }: PublishRoleDeps,
  { id, config }: AdoptedAgent,
): Promise<void> {
  const { role, role_short: roleShort } = config;
  if (role === '') return;
  await waitUntil(clock, onlineMs, () => account(id)?.connection().state === 'online');
  const told = await account(id)?.updateProfile({ role, roleShort });
  if (!told?.ok) log.warn('role_not_synced', { agent: id });
}

import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AdoptedAgent } from '../../services/bridge/bridge-types.ts';
import type { HostContext } from '../context.ts';
import { waitUntil } from '../wait-until.ts';

const onlineMs = 15_000;
const alreadyThere = (id: string) => appError('conflict', `There is already an agent "${id}".`);

/** Starts the agents if the host had nothing configured before. */
async function letRun(context: HostContext): Promise<void> {
  if (context.ports.mode !== 'full') return;
  const parts = await context.openParts();
  if (parts.ok) context.fleet.begin(parts.value);
  else context.problems.set('vault', 'error', parts.error);
}

/** Publishes the role once the agent is online; best effort. */
async function tellRole(context: HostContext, { id, config }: AdoptedAgent): Promise<void> {
  const { role, role_short: roleShort } = config;
  if (role === '' || context.ports.mode !== 'full') return;
  const online = () => context.fleet.account(id)?.connection().state === 'online';
  await waitUntil(context.ports.clock, onlineMs, online);
  const told = await context.fleet.account(id)?.updateProfile({ role, roleShort });
  if (!told?.ok) context.ports.log.warn('role_not_synced', { agent: id });
}

/**
 * Adds an agent with its own identity. Its keys are wrapped before its folder appears, so a crash leaves
 * either no agent or a complete one.
 */
export async function adoptAgent(
  context: HostContext,
  agent: AdoptedAgent,
): Promise<Result<{ readonly folder: string }>> {
  const { secrets, agents, ports } = context;
  const { id, config, profile, apiKey, identity } = agent;
  if (agents.get(id)) return err(alreadyThere(id));
  const vault = await secrets.openForReal();
  if (!vault.ok) return vault;
  const keys = secrets.keys();
  if (!keys) return err(appError('locked', 'Your secrets are locked.'));
  ports.addSecret(apiKey);
  const stored = apiKey === '' ? ok(undefined) : secrets.apiKeys.setForAgent(id, apiKey);
  if (!stored.ok) return stored;
  const made = agents.create({
    id,
    config,
    profile,
    furnish: (folder) => keys.saveIdentity(join(folder, 'keys'), identity),
  });
  if (!made.ok) {
    if (apiKey !== '' && made.error.code !== 'conflict') secrets.apiKeys.removeForAgent(id);
    return made;
  }
  await letRun(context);
  context.chat.roomsChanged();
  void tellRole(context, agent);
  return ok({ folder: made.value.folder });
}

import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostContext } from '../context.ts';
import { embeddedName } from '../layout.ts';
import { demoAgents } from './cast.ts';
import { demoFile } from './demo.ts';

/** Agents of the person's own that lived on the demo's relay: their files stay, their identity goes with the relay. */
function disconnectGuests(context: HostContext): Result<void> {
  for (const agent of context.agents.list()) {
    const core = agent.lastGood?.puffo_core;
    if (!core || !context.relay.isOurs(core.server_url)) continue;
    const cleared = context.agents.update(agent.id, {
      puffo_core: { slug: '', device_id: '', space_id: '', operator_slug: '' },
    });
    if (!cleared.ok) return cleared;
    const keys = context.disk.remove(context.layout.agentKeys(agent.id));
    if (!keys.ok) return keys;
  }
  return ok(undefined);
}

/** Deletes everything the demo made, its own record last: interrupted, it can be asked for again. */
export async function removeDemo(context: HostContext, closeServers: () => void): Promise<Result<void>> {
  const file = demoFile(context);
  const record = file.read();
  if (!record.ok) return record;
  if (!record.value) return err(appError('not_found', 'There is no demo in this folder.'));
  for (const { id } of demoAgents) {
    if (!context.agents.get(id)) continue;
    const gone = await context.fleet.withdraw(id, () => context.agents.delete(id));
    if (!gone.ok) return gone;
  }
  const guests = disconnectGuests(context);
  if (!guests.ok) return guests;
  context.fleet.apply();
  await context.fleet.settled();
  const operator = await context.operator.erase();
  if (!operator.ok) return operator;
  context.chat.reset();
  closeServers();
  const relay = await context.relay.erase();
  if (!relay.ok) return relay;
  const registry = forgetRegistry(context);
  if (!registry.ok) return registry;
  const vault = record.value.ownVault && noKeysLeft(context) ? await context.secrets.erase() : ok(undefined);
  if (!vault.ok) return vault;
  const removed = file.remove();
  context.viewChanged();
  return removed;
}

/** What was known about the people of the demo's relay; other servers keep theirs. */
function forgetRegistry({ disk, layout }: HostContext): Result<void> {
  const store = join(layout.registry, `${embeddedName}.db`);
  for (const suffix of ['', '-wal', '-shm', '.key']) {
    const gone = disk.remove(store + suffix);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}

/** The vault outlives the demo where somebody has put something of their own into it. */
function noKeysLeft(context: HostContext): boolean {
  const configured = context.agents.list().some((agent) => (agent.lastGood?.puffo_core.slug ?? '') !== '');
  const stored = Object.values(context.secrets.apiKeys.overview()).includes('stored');
  const own = context.agents.list().some((agent) => context.secrets.apiKeys.hasOwn(agent.id));
  return !configured && !stored && !own;
}

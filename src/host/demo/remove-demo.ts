import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostContext } from '../context.ts';
import { embeddedName } from '../layout.ts';
import { demoAgents } from './cast.ts';
import { demoFile } from './demo.ts';
import { vaultUsers } from './vault-users.ts';

/** The user's own agents on the demo's relay keep their files and lose their identity. */
function disconnectGuests(context: HostContext): Result<readonly string[]> {
  const guests: string[] = [];
  for (const agent of context.agents.list()) {
    const core = agent.lastGood?.puffo_core;
    if (!core || !context.relay.isOurs(core.server_url)) continue;
    const cleared = context.agents.update(agent.id, {
      puffo_core: { slug: '', device_id: '', space_id: '', operator_slug: '' },
    });
    if (!cleared.ok) return cleared;
    guests.push(agent.id);
  }
  return ok(guests);
}

/** Call it once no agent uses the identities. */
function forgetIdentities(context: HostContext, ids: readonly string[]): Result<void> {
  for (const id of ids) {
    const keys = context.disk.remove(context.layout.agentKeys(id));
    if (!keys.ok) return keys;
  }
  return ok(undefined);
}

/**
 * Deletes everything the demo created, its own record last, so that an interrupted removal can be repeated.
 * Returns what had to stay, or an empty text.
 */
export async function removeDemo(context: HostContext, closeServers: () => void): Promise<Result<string>> {
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
  const forgotten = forgetIdentities(context, guests.value);
  if (!forgotten.ok) return forgotten;
  const operator = await context.operator.erase();
  if (!operator.ok) return operator;
  context.chat.reset();
  closeServers();
  const relay = await context.relay.erase();
  if (!relay.ok) return relay;
  const registry = forgetRegistry(context);
  if (!registry.ok) return registry;
  const kept = await removeVault(context, record.value.ownVault);
  if (!kept.ok) return kept;
  const removed = file.remove();
  context.viewChanged();
  return removed.ok ? kept : removed;
}

/** Deletes the cached identities of the demo's relay; other servers keep theirs. */
function forgetRegistry({ disk, layout }: HostContext): Result<void> {
  const store = join(layout.registry, `${embeddedName}.db`);
  for (const suffix of ['', '-wal', '-shm', '.key']) {
    const gone = disk.remove(store + suffix);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}

/** Keeps the vault if it still protects something, or if the user chose its passphrase before the demo. */
async function removeVault(context: HostContext, ownVault: boolean): Promise<Result<string>> {
  const users = vaultUsers(context);
  if (users.length > 0)
    return ok(`The key that opens your secrets was kept, because it is still needed: ${users.join('; ')}.`);
  if (!ownVault && context.secrets.view().kind === 'passphrase') return ok('');
  const forgotten = await context.approvals.erase();
  const spent = forgotten.ok ? context.usage.erase() : forgotten;
  await context.schedules.forget();
  const untasked = spent.ok ? await context.tasks.erase() : spent;
  const idle = untasked.ok ? await context.workflows.erase() : untasked;
  const emptied = idle.ok ? context.disk.remove(context.layout.apiKeys) : idle;
  const erased = emptied.ok ? await context.secrets.erase() : emptied;
  return erased.ok ? ok('') : erased;
}

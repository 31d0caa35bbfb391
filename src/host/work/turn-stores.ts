import { existsSync } from 'node:fs';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';

export type TurnStore = Pick<AccountStore, 'turns' | 'message'>;

/**
 * Reads turns of a running or stopped agent; a stopped agent's file is opened for this call only. `null` if
 * it has no file, which is not created.
 */
export async function withTurns<T>(
  context: HostContext,
  agent: LoadedAgent,
  read: (store: TurnStore) => T,
): Promise<Result<T | null>> {
  const running = context.fleet.post(agent.id)?.store;
  const opened: Result<{ store: AccountStore | null; release: () => void }> = running
    ? ok({ store: running, release: () => undefined })
    : await openAtRest(context, agent);
  if (!opened.ok) return opened;
  const { store, release } = opened.value;
  if (!store) return ok(null);
  try {
    return ok(read(store));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return err(error.toAppError());
  } finally {
    release();
  }
}

async function openAtRest(
  context: HostContext,
  agent: LoadedAgent,
): Promise<Result<{ store: AccountStore | null; release: () => void }>> {
  const path = context.layout.agentStore(agent.id);
  const { slug } = configInForce(agent).puffo_core;
  if (slug === '' || !existsSync(path)) return ok({ store: null, release: () => undefined });
  const parts = await context.openParts();
  if (!parts.ok) return parts;
  const key = parts.value.keys.storeKey(path);
  if (!key.ok) return key;
  const { openAccountStore } = await import('../../services/db/account-store.ts');
  const { clock, log } = context.ports;
  // The agent may have started meanwhile; a file has only one opener.
  const running = context.fleet.post(agent.id)?.store;
  if (running) return ok({ store: running, release: () => undefined });
  const store = openAccountStore({ path, key: key.value, slug, clock, log: log.child({ agent: agent.id }) });
  return ok({ store, release: () => store.release() });
}

export const noSuchTurn = (wanted: string) =>
  appError('not_found', `None of your agents has a turn "${wanted}".`, {
    hint: '"kennel work" lists turns with their ids.',
  });

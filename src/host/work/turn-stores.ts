import { existsSync } from 'node:fs';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { Layout } from '../layout.ts';

export type TurnStore = Pick<AccountStore, 'turns' | 'message'>;

export interface TurnStoresDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly layout: Pick<Layout, 'agentStore'>;
  /** The agents that run. */
  readonly fleet: { post(id: string): { readonly store: AccountStore | null } | null };
  openParts(): Promise<Result<{ readonly keys: { storeKey(path: string): Result<Uint8Array> } }>>;
}

export interface TurnStores {
  /**
   * Reads turns of a running or stopped agent; a stopped agent's file is opened for this call only. `null` if
   * it has no file, which is not created.
   */
  read<T>(agent: LoadedAgent, look: (store: TurnStore) => T): Promise<Result<T | null>>;
}

interface Opened {
  readonly store: AccountStore | null;
  release(): void;
}

const kept = (store: AccountStore | null): Result<Opened> => ok({ store, release: () => undefined });

export function createTurnStores(deps: TurnStoresDeps): TurnStores {
  const running = (id: string): AccountStore | null => deps.fleet.post(id)?.store ?? null;
  return {
    async read(agent, look) {
      const live = running(agent.id);
      const opened = live ? kept(live) : await openAtRest(deps, agent);
      if (!opened.ok) return opened;
      const { store, release } = opened.value;
      if (!store) return ok(null);
      try {
        return ok(look(store));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return err(error.toAppError());
      } finally {
        release();
      }
    },
  };
}

async function openAtRest(deps: TurnStoresDeps, agent: LoadedAgent): Promise<Result<Opened>> {
  const { clock, log, layout, fleet } = deps;
  const path = layout.agentStore(agent.id);
  const { slug } = configInForce(agent).puffo_core;
  if (slug === '' || !existsSync(path)) return kept(null);
  const parts = await deps.openParts();
  if (!parts.ok) return parts;
  const key = parts.value.keys.storeKey(path);
  if (!key.ok) return key;
  const { openAccountStore } = await import('../../services/db/account-store.ts');
  // The agent may have started meanwhile; a file has only one opener.
  const running = fleet.post(agent.id)?.store;
  if (running) return kept(running);
  const store = openAccountStore({ path, key: key.value, slug, clock, log: log.child({ agent: agent.id }) });
  return ok({ store, release: () => store.release() });
}

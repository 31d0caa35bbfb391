import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TurnRecord } from '../../core/agents/turn-records.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { TurnStore, TurnStores } from './turn-stores.ts';

/** A turn by the beginning of its id; `agent` limits the search to one agent. */
export interface TurnRef {
  readonly turn: string;
  readonly agent?: string | undefined;
}

export interface FoundTurn {
  readonly agent: LoadedAgent;
  readonly record: TurnRecord;
  readonly store: TurnStore;
}

export interface TurnFinder {
  /** Reads the only turn of that id. `read` runs while the store is open. */
  find<T>(ref: TurnRef, read: (found: FoundTurn) => T): Promise<Result<T>>;
}

export interface TurnFinderDeps {
  readonly agents: AgentStore;
  readonly stores: TurnStores;
  refreshRooms(): unknown;
}

const noSuchTurn = (wanted: string) =>
  fail('not_found', 'turns.unknownTurn', { id: wanted }, { help: 'turns.runKennelWork' });

export const createTurnFinder = ({ agents, stores, refreshRooms }: TurnFinderDeps): TurnFinder => ({
  async find<T>(ref: TurnRef, read: (found: FoundTurn) => T): Promise<Result<T>> {
    const named = ref.agent === undefined ? null : findAgent(agents, ref.agent);
    if (named && !named.ok) return named;
    refreshRooms();
    const matches: T[] = [];
    for (const agent of named ? [named.value] : agents.list()) {
      const looked = await stores.read(agent, (store) => {
        const records = store.turns.startingWith(ref.turn);
        const exact = records.find(({ turnId }) => turnId === ref.turn);
        for (const record of exact ? [exact] : records) matches.push(read({ agent, record, store }));
      });
      if (!looked.ok && named) return looked;
    }
    const [first] = matches;
    if (first === undefined) return err(noSuchTurn(ref.turn));
    if (matches.length === 1) return ok(first);
    return err(fail('conflict', 'turns.severalTurns', { turn: ref.turn }, { help: 'turns.typeMoreOfId' }));
  },
});

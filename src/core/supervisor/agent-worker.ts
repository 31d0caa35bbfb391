/** Joins the units that answer the messages of one agent. */
import type { AccountPort } from '../puffo/account-port.ts';
import type { AccountStore } from '../puffo/account-store.ts';
import { createBatchTurns } from './batch-turn.ts';
import type { RuntimePort } from './runtime-port.ts';
import { createTurnReader } from './turn-reader.ts';
import { createTurnReports } from './turn-reports.ts';
import { createWorker } from './worker.ts';
import type { TurnSources, Worker, WorkerEvents, WorkerPorts } from './worker-ports.ts';

export interface WorkerWiring {
  readonly agentId: string;
  readonly account: AccountPort;
  readonly store: AccountStore;
  readonly runtime: RuntimePort;
  readonly sources: TurnSources;
  readonly events: WorkerEvents;
  readonly ports: WorkerPorts;
}

export function createAgentWorker(wiring: WorkerWiring): Worker {
  const { agentId, account, store, runtime, sources, events, ports } = wiring;
  return createWorker({
    account,
    store,
    ports,
    onQueued: (messages) => events.onQueued(messages),
    turns: () =>
      createBatchTurns({
        agentId,
        store,
        runtime,
        reader: createTurnReader({ account, sources, clock: ports.clock, log: ports.log }),
        startReport: createTurnReports({ account, events, clock: ports.clock, random: ports.random }),
        ports,
      }),
  });
}

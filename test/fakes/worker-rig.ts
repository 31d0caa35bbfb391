/** A worker in virtual time over stores in memory; `change` replaces what a test needs to differ. */

import type { AccountPort } from '../../src/core/puffo/account-port.ts';
import { createAgentWorker, type WorkerWiring } from '../../src/core/supervisor/agent-worker.ts';
import type { TurnContext, TurnSources, WorkerEvents } from '../../src/core/supervisor/worker-ports.ts';
import { createFakeAccount } from './fake-account.ts';
import { createMemoryAccountStore } from './memory-account-store.ts';
import { createRecordingLog } from './recording-log.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const workerSlug = 'helper-9a7c';

const quiet = () => undefined;

const quietEvents: WorkerEvents = {
  onQueued: quiet,
  onTurnStarted: quiet,
  onTurnTook: quiet,
  onStep: quiet,
  onTraced: quiet,
  onDelta: quiet,
  onDraftReset: quiet,
  onRetrying: quiet,
  onActivity: quiet,
  onTurnEnded: quiet,
};

const sampleContext: TurnContext = {
  prompt: { primer: 'P', profile: '# Soul\n\nKind.', memory: '' },
  persona: { displayName: 'Helper', slug: workerSlug, role: 'coder' },
  maxInlineChars: 4000,
  segmentChars: 2000,
  plainModel: true,
  untrustedNotes: '',
  onArrival: 'steer',
};

interface Change {
  readonly store?: ReturnType<typeof createMemoryAccountStore>;
  readonly events?: Partial<WorkerEvents>;
  readonly context?: Partial<TurnContext>;
  readonly sources?: Partial<TurnSources>;
  readonly account?: Partial<AccountPort>;
  readonly random?: WorkerWiring['ports']['random'];
}

export function createWorkerRig(runtime: WorkerWiring['runtime'], change: Change = {}) {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const people = [{ slug: 'alice-a62c', displayName: 'Alice' }];
  const account = Object.assign(createFakeAccount(workerSlug, people), change.account);
  const store = change.store ?? createMemoryAccountStore(workerSlug);
  const worker = createAgentWorker({
    agentId: 'helper',
    account,
    store,
    runtime,
    events: { ...quietEvents, ...change.events },
    sources: {
      context: async () => ({ ...sampleContext, ...change.context }),
      isOperator: (slug) => slug === 'alice-a62c',
      ...change.sources,
    },
    ports: { clock, log, random: change.random ?? createSeededRandom(7) },
  });
  return { clock, log, account, store, worker };
}

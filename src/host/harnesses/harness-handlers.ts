import { fail } from '../../contract/fail.ts';
import type { HarnessProcessView } from '../../contract/harness-processes.ts';
import { err, ok } from '../../contract/result.ts';
import type { HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { readTreeUsage } from '../../platform/process-usage.ts';
import type { Handlers } from '../dispatch.ts';
import { type FindHarnessDeps, findHarnesses } from './find-harnesses.ts';
import type { HarnessCanaries } from './harness-canaries.ts';
import type { ProcessLedger } from './process-ledger.ts';

export interface HarnessDeps extends FindHarnessDeps {
  readonly ledger: Pick<ProcessLedger, 'list'>;
  /** False if no such process runs. */
  readonly endProcess: (id: string) => Promise<boolean>;
  readonly canaries: HarnessCanaries;
  /** Whether this system offers a sandbox. */
  readonly hasWalls: () => Promise<boolean>;
}

const viewProcess = ({ at, ...record }: HarnessRecord): HarnessProcessView => ({
  id: record.id,
  agentId: record.agentId,
  program: record.program,
  pid: record.pid,
  hasWall: record.hasWall,
  startedAt: at,
  usage: readTreeUsage({ leader: record.pid, marker: record.marker }),
});

type HarnessMethods = Pick<
  Handlers,
  'harnesses.list' | 'harnesses.test' | 'harnesses.processes' | 'harnesses.endProcess'
>;

export const createHarnessHandlers = (deps: HarnessDeps): HarnessMethods => ({
  'harnesses.list': async () => {
    const [found, hasWall] = await Promise.all([findHarnesses(deps), deps.hasWalls()]);
    return ok({
      harnesses: found.map((view) => ({ ...view, canary: deps.canaries.of(view.id, view.version) })),
      hasWall,
    });
  },
  'harnesses.test': async ({ id }) => {
    const canary = await deps.canaries.run(id);
    return canary.ok ? ok({ canary: canary.value }) : canary;
  },
  'harnesses.processes': () => ok({ processes: deps.ledger.list().map(viewProcess) }),
  'harnesses.endProcess': async ({ id }) =>
    (await deps.endProcess(id)) ? ok({}) : err(fail('not_found', 'harness.unknownProcess')),
});

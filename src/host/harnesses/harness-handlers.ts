import { fail } from '../../contract/fail.ts';
import type { HarnessLog, HarnessProcessView } from '../../contract/harness-processes.ts';
import { err, ok } from '../../contract/result.ts';
import type { HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { readTreeUsage } from '../../platform/process-usage.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { HarnessContainers } from '../../services/executors/harness-container.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import { type FindHarnessDeps, findHarnesses } from './find-harnesses.ts';
import type { HarnessCanaries } from './harness-canaries.ts';
import type { ProcessLedger } from './process-ledger.ts';

export interface HarnessDeps extends FindHarnessDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly programs: HarnessPrograms;
}

export interface HarnessPrograms {
  readonly ledger: Pick<ProcessLedger, 'list'>;
  readonly canaries: HarnessCanaries;
  /** False if no such process runs. */
  endProcess(id: string): Promise<boolean>;
  restartProcess(id: string): Promise<boolean>;
  outputOf(agentId: string): Promise<HarnessLog | null>;
  /** Whether this system offers a sandbox. */
  hasWalls(): Promise<boolean>;
  /** Loads with the first agent in a container. */
  containers(): Promise<{ readonly executor: Pick<HarnessContainers, 'pidOf'> }>;
}

/** The processes of a container are no children of the program that started it. */
async function viewProcess(
  { at, ...record }: HarnessRecord,
  pidOf: (container: string) => Promise<number | null>,
): Promise<HarnessProcessView> {
  const inside = record.container === null ? null : await pidOf(record.container);
  const leader = inside ?? record.pid;
  return {
    id: record.id,
    agentId: record.agentId,
    program: record.program,
    pid: record.pid,
    hasWall: record.hasWall,
    container: record.container,
    startedAt: at,
    usage: readTreeUsage({ leader, marker: record.marker }),
  };
}

type HarnessMethods = Pick<
  Handlers,
  | 'harnesses.list'
  | 'harnesses.test'
  | 'harnesses.processes'
  | 'harnesses.endProcess'
  | 'harnesses.restartProcess'
  | 'harnesses.log'
>;

const ended = () => err(fail('not_found', 'harness.unknownProcess'));

export const createHarnessHandlers = ({ agents, programs, ...deps }: HarnessDeps): HarnessMethods => ({
  'harnesses.list': async () => {
    const [found, hasWall] = await Promise.all([findHarnesses(deps), programs.hasWalls()]);
    return ok({
      harnesses: found.map((view) => ({ ...view, canary: programs.canaries.of(view.id, view.version) })),
      hasWall,
    });
  },
  'harnesses.test': async ({ id }) => {
    const canary = await programs.canaries.run(id);
    return canary.ok ? ok({ canary: canary.value }) : canary;
  },
  'harnesses.processes': async () => {
    const pidOf = async (name: string) => (await programs.containers()).executor.pidOf(name);
    const records = programs.ledger.list();
    return ok({ processes: await Promise.all(records.map((record) => viewProcess(record, pidOf))) });
  },
  'harnesses.endProcess': async ({ id }) => ((await programs.endProcess(id)) ? ok({}) : ended()),
  'harnesses.restartProcess': async ({ id }) => ((await programs.restartProcess(id)) ? ok({}) : ended()),
  'harnesses.log': async ({ agent: ref }) => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const output = await programs.outputOf(found.value.id);
    return output ? ok(output) : err(fail('not_found', 'harness.noOutput'));
  },
});

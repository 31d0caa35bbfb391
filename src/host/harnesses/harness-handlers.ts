import { homedir } from 'node:os';
import { fail } from '../../contract/fail.ts';
import type { HarnessProcessView } from '../../contract/harness-processes.ts';
import type { HarnessView } from '../../contract/harnesses.ts';
import { err, ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { readTreeUsage } from '../../platform/process-usage.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import { loginPath } from '../login-path.ts';
import type { ProcessLedger } from './process-ledger.ts';

export interface HarnessDeps {
  readonly ledger: Pick<ProcessLedger, 'list'>;
  /** False if no such process runs. */
  readonly endProcess: (id: string) => Promise<boolean>;
  readonly env: HostPorts['env'];
  readonly clock: Clock;
}

/** The command line agents of this computer; what it needs is loaded on demand. */
async function findHarnesses({
  env,
  clock,
}: Pick<HarnessDeps, 'env' | 'clock'>): Promise<readonly HarnessView[]> {
  const [{ createProcessPort }, { detectHarnesses }, path] = await Promise.all([
    import('../../services/executors/process.ts'),
    import('../../services/harnesses/detect-harnesses.ts'),
    loginPath(env),
  ]);
  return detectHarnesses({
    process: createProcessPort({ clock }),
    path: path ?? env.PATH ?? '',
    env,
    userHome: env.HOME ?? homedir(),
    platform: process.platform,
  });
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

type HarnessMethods = Pick<Handlers, 'harnesses.list' | 'harnesses.processes' | 'harnesses.endProcess'>;

export const createHarnessHandlers = (deps: HarnessDeps): HarnessMethods => ({
  'harnesses.list': async () => ok({ harnesses: [...(await findHarnesses(deps))] }),
  'harnesses.processes': () => ok({ processes: deps.ledger.list().map(viewProcess) }),
  'harnesses.endProcess': async ({ id }) =>
    (await deps.endProcess(id)) ? ok({}) : err(fail('not_found', 'harness.unknownProcess')),
});

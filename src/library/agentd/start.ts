/** `kennel agentd` with the real disk, programs, MCP client and models. One process owns the state of a file. */
import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { acquireHostLock } from '../../services/db/host-lock.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createLocalConnector } from '../local-connector.ts';
import { type Agentd, type AgentdPorts, type AgentdSettings, openAgentd } from './agentd.ts';
import { modelNamed } from './named-model.ts';

export type { GateCall } from '../../core/approvals/approval-gate.ts';
export type { AgentEvent } from '../../core/loop/events.ts';
export type { Agentd, AgentdReport } from './agentd.ts';
export type { FileAgent } from './file-agent.ts';

/** One folder per file, below the data folder. */
export function stateFolderOf(dataFolder: string, file: string): string {
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 12);
  return join(dataFolder, 'agentd', `${basename(file).replace(/\.ya?ml$/, '')}-${hash}`);
}

export interface StartOptions
  extends Pick<AgentdSettings, 'reacting' | 'only' | 'env'>,
    Pick<AgentdPorts, 'ask' | 'report'> {
  /** Relative to the working folder. */
  readonly file: string;
  readonly dataFolder: string;
  readonly version: string;
}

/** `held` if another process reacts for this file. A conversation alone needs no lock. */
export async function startAgentd(options: StartOptions): Promise<Result<Agentd>> {
  const { dataFolder, version, ask, report, ...rest } = options;
  const file = isAbsolute(options.file) ? options.file : resolve(options.file);
  const stateFolder = stateFolderOf(dataFolder, file);
  const [clock, random] = [createSystemClock(), createSystemRandom()];
  const lock = rest.reacting === null ? null : acquireHostLock(stateFolder, clock.now());
  if (lock && !lock.ok) return lock.error.code === 'held' ? err(fail('conflict', 'agentd.stateInUse')) : lock;
  const settings = { ...rest, file, stateFolder };
  const { connector, close } = createLocalConnector({
    folder: dirname(file),
    env: options.env,
    version,
    clock,
    random,
  });
  const opened = await openAgentd(settings, {
    time: { clock, random },
    disk: createDisk(random),
    connector,
    model: (name) => modelNamed(name, options.env, clock),
    ask,
    report,
  });
  const release = async (): Promise<void> => {
    await close();
    if (lock?.ok) lock.value.release();
  };
  if (!opened.ok) {
    await release();
    return opened;
  }
  const agentd = opened.value;
  return ok({
    agents: () => agentd.agents(),
    async close() {
      await agentd.close();
      await release();
    },
  });
}

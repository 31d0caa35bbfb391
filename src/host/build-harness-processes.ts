import type { Scope } from '../core/lib/scope.ts';
import type { DiskPort } from '../core/ports.ts';
import type { HarnessProcessPort } from '../core/runtimes/harness-ports.ts';
import type { HarnessProcesses } from '../services/executors/harness-process.ts';
import { createProcessLedger, type ProcessLedger } from './harnesses/process-ledger.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';

export interface HarnessProcessParts {
  /** Loads with the first runtime that starts a program. */
  readonly processes: () => Promise<HarnessProcessPort>;
  readonly ledger: ProcessLedger;
}

/** Part of the composition root: the processes of agent programs and their ledger. */
export function buildHarnessProcesses(
  { ports, layout, disk }: HarnessProcessWiring,
  scope: Scope,
): HarnessProcessParts {
  const { clock, random, log } = ports;
  const ledger = createProcessLedger({ disk, path: layout.processLedger, clock, log });
  let loaded: Promise<HarnessProcesses> | null = null;
  scope.add('agent programs', async () => (await loaded)?.close());
  const load = async (): Promise<HarnessProcesses> => {
    const { createHarnessProcesses } = await import('../services/executors/harness-process.ts');
    return createHarnessProcesses({ clock, random, ledger });
  };
  return {
    ledger,
    processes() {
      loaded ??= load().catch((error: unknown) => {
        loaded = null;
        throw error;
      });
      return loaded;
    },
  };
}

interface HarnessProcessWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log'>;
  readonly layout: Pick<Layout, 'processLedger'>;
  readonly disk: DiskPort;
}

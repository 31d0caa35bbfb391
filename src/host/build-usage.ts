import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { ModelAccess } from './fleet/model-access.ts';
import type { HostPorts } from './host-ports.ts';
import type { Problems } from './problems.ts';
import type { WatchStore } from './stores/store-watch.ts';
import { createBudgets } from './usage/budgets.ts';
import { createUsage, type UsageDeps, type UsageService } from './usage/usage.ts';
import { createUsageFile } from './usage/usage-file.ts';

/** Dependencies of all units of usage; each unit takes some of them. */
export interface UsageWiring {
  readonly ports: Pick<HostPorts, 'home' | 'clock' | 'log'>;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly settings: DaemonSettings;
  readonly agents: AgentStore;
  readonly models: ModelAccess;
  readonly watchStore: WatchStore;
  readonly approvals: UsageDeps['approvals'];
  readonly onRecorded: UsageDeps['onRecorded'];
}

/** Part of the composition root: what models cost, and the budgets that limit it. */
export function buildUsage(wiring: UsageWiring): UsageService {
  const { ports, disk, problems, settings, agents, models, watchStore, approvals, onRecorded } = wiring;
  const { home, clock, log } = ports;
  return createUsage({
    clock,
    file: createUsageFile({ home, disk, clock, log, watchStore }),
    budgets: createBudgets({ agents, settings, models }),
    problems,
    approvals,
    onRecorded,
  });
}

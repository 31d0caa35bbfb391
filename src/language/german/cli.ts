import type { CliCatalog } from '../cli-message.ts';
import { cliAgents } from './cli/agents.ts';
import { cliApprovals } from './cli/approvals.ts';
import { cliAudit } from './cli/audit.ts';
import { cliBridge } from './cli/bridge.ts';
import { cliBundles } from './cli/bundles.ts';
import { cliHeads } from './cli/heads.ts';
import { cliHost } from './cli/host.ts';
import { cliMemory } from './cli/memory.ts';
import { cliProgress } from './cli/progress.ts';
import { cliPs } from './cli/ps.ts';
import { cliRuntimes } from './cli/runtimes.ts';
import { cliService } from './cli/service.ts';
import { cliStart } from './cli/start.ts';
import { cliStatus } from './cli/status.ts';
import { cliTasks } from './cli/tasks.ts';
import { cliTerminal } from './cli/terminal.ts';
import { cliUpkeep } from './cli/upkeep.ts';
import { cliValues } from './cli/values.ts';

export const cliGerman: CliCatalog = {
  cliAgents,
  cliApprovals,
  cliAudit,
  cliBridge,
  cliBundles,
  cliHeads,
  cliHost,
  cliMemory,
  cliProgress,
  cliPs,
  cliRuntimes,
  cliService,
  cliStart,
  cliStatus,
  cliTasks,
  cliTerminal,
  cliUpkeep,
  cliValues,
};

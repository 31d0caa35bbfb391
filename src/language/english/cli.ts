import { cliAgents } from './cli/agents.ts';
import { cliApprovals } from './cli/approvals.ts';
import { cliAudit } from './cli/audit.ts';
import { cliBridge } from './cli/bridge.ts';
import { cliPs } from './cli/ps.ts';
import { cliRuntimes } from './cli/runtimes.ts';
import { cliStatus } from './cli/status.ts';
import { cliTasks } from './cli/tasks.ts';
import { cliTerminal } from './cli/terminal.ts';

/** English texts of the command line by area. Slots are those of `host-message.ts`. */
export const cliEnglish = {
  cliAgents,
  cliApprovals,
  cliAudit,
  cliBridge,
  cliPs,
  cliRuntimes,
  cliStatus,
  cliTasks,
  cliTerminal,
} as const;

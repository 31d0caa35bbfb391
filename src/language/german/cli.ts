import type { CliCatalog } from '../cli-message.ts';
import { cliAcp } from './cli/acp.ts';
import { cliAgentd } from './cli/agentd.ts';
import { cliAgents } from './cli/agents.ts';
import { cliApprovals } from './cli/approvals.ts';
import { cliAttach } from './cli/attach.ts';
import { cliAudit } from './cli/audit.ts';
import { cliAuth } from './cli/auth.ts';
import { cliBackup } from './cli/backup.ts';
import { cliBridge } from './cli/bridge.ts';
import { cliBundles } from './cli/bundles.ts';
import { cliChat } from './cli/chat.ts';
import { cliConfig } from './cli/config.ts';
import { cliContacts } from './cli/contacts.ts';
import { cliFiles } from './cli/files.ts';
import { cliHeads } from './cli/heads.ts';
import { cliHost } from './cli/host.ts';
import { cliImages } from './cli/images.ts';
import { cliLogs } from './cli/logs.ts';
import { cliMcp } from './cli/mcp.ts';
import { cliMemory } from './cli/memory.ts';
import { cliOperator } from './cli/operator.ts';
import { cliPeers } from './cli/peers.ts';
import { cliPolicy } from './cli/policy.ts';
import { cliProgress } from './cli/progress.ts';
import { cliProxy } from './cli/proxy.ts';
import { cliPs } from './cli/ps.ts';
import { cliPuppy } from './cli/puppy.ts';
import { cliRelay } from './cli/relay.ts';
import { cliRuntimes } from './cli/runtimes.ts';
import { cliSchedules } from './cli/schedules.ts';
import { cliSearch } from './cli/search.ts';
import { cliService } from './cli/service.ts';
import { cliSkills } from './cli/skills.ts';
import { cliSnapshots } from './cli/snapshots.ts';
import { cliSpaces } from './cli/spaces.ts';
import { cliStart } from './cli/start.ts';
import { cliStatus } from './cli/status.ts';
import { cliTasks } from './cli/tasks.ts';
import { cliTerminal } from './cli/terminal.ts';
import { cliUndo } from './cli/undo.ts';
import { cliUpkeep } from './cli/upkeep.ts';
import { cliUsage } from './cli/usage.ts';
import { cliUsageErrors } from './cli/usage-errors.ts';
import { cliValues } from './cli/values.ts';
import { cliWork } from './cli/work.ts';

export const cliGerman: CliCatalog = {
  cliAcp,
  cliAgentd,
  cliAgents,
  cliApprovals,
  cliAttach,
  cliAudit,
  cliAuth,
  cliBackup,
  cliBridge,
  cliBundles,
  cliChat,
  cliConfig,
  cliContacts,
  cliFiles,
  cliHeads,
  cliHost,
  cliImages,
  cliLogs,
  cliMcp,
  cliMemory,
  cliOperator,
  cliPeers,
  cliPolicy,
  cliProgress,
  cliProxy,
  cliPs,
  cliPuppy,
  cliRelay,
  cliRuntimes,
  cliSchedules,
  cliSearch,
  cliService,
  cliSkills,
  cliSnapshots,
  cliSpaces,
  cliStart,
  cliStatus,
  cliTasks,
  cliTerminal,
  cliUndo,
  cliUpkeep,
  cliUsage,
  cliUsageErrors,
  cliValues,
  cliWork,
};

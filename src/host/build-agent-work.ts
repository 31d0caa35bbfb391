import type { SpendGate } from '../core/models/spend-gate.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import { createAgentFolders } from './fleet/agent-folders.ts';
import type { FeatureTools } from './fleet/agent-kit.ts';
import type { ModelAccess } from './fleet/model-access.ts';
import { createSharedTools, lazyAgentCommands, type SharedToolsDeps } from './fleet/shared-tools.ts';
import type { WorkToolsDeps } from './fleet/work-tools.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { placesOf, skillsDirOf, skillsFor } from './skills/skill-places.ts';
import { type AgentPuppiesDeps, createAgentPuppies } from './workflows/agent-puppies.ts';
import type { AskModelFor } from './workflows/ask-model.ts';
import { createLazyFiles } from './workflows/workflows.ts';

export interface AgentWorkWiring {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: AgentStore;
  readonly models: ModelAccess;
  readonly spend: SpendGate;
  readonly workflows: AgentPuppiesDeps['workflows'];
  readonly disk: DiskPort;
  readonly tasksOfAgent: WorkToolsDeps['tasks'];
  readonly covered: SharedToolsDeps['covered'];
  readonly serverTools: FeatureTools['servers'];
}

/** Part of the composition root: the folders, workflow files, models and tools that agents work with. */
export function buildAgentWork({
  ports,
  layout,
  settings,
  agents,
  models,
  spend,
  workflows,
  disk,
  tasksOfAgent,
  covered,
  serverTools,
}: AgentWorkWiring) {
  const { home, clock, log, random } = ports;
  const askModel: AskModelFor = async (...call) => {
    const asks = await import('./workflows/ask-model.ts');
    return asks.askModel({ models, spend, agents, clock, random }, ...call);
  };
  const workflowFiles = createLazyFiles(layout.workflows, ports.examplesDir ?? null);
  const puppies = createAgentPuppies({
    agents,
    workflows,
    files: workflowFiles,
    clock,
    askModel,
  });
  const folders = createAgentFolders({
    home,
    env: ports.env,
    log,
    workingDir: () => settings.config().limits.working_dir,
    skillsOf: (folder, record) =>
      skillsFor(disk, placesOf(home, skillsDirOf(settings.config().skills_dir, home), folder), record),
  });
  const sharedTools = createSharedTools({
    folders,
    disk,
    clock,
    commands: lazyAgentCommands({
      home,
      env: ports.env,
      clock,
      commandSeconds: () => settings.config().limits.command_s,
    }),
    features: async () => {
      const { createWorkTools } = await import('./fleet/work-tools.ts');
      return { work: createWorkTools({ puppy: puppies, tasks: tasksOfAgent }), servers: serverTools };
    },
    covered,
  });
  return { askModel, workflowFiles, folders, sharedTools };
}

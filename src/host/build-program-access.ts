import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { Approvals } from './approvals/approvals.ts';
import { createDataService, type DataService } from './data-service/data-service.ts';
import type { AgentFolders } from './fleet/agent-folders.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { ModelAccess } from './fleet/model-access.ts';
import type { WorkToolsDeps } from './fleet/work-tools.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import type { AgentToolCalls } from './mcp/agent-tool-calls.ts';
import { createMcpAccess, type McpAccess } from './mcp/mcp-access.ts';
import { type OutsideReader, OutsideReads } from './mcp/outside-reads.ts';
import type { OutsideToolsDeps } from './mcp/outside-tools.ts';
import type { OwnSetupDeps } from './mcp/own-setup.ts';

/** Everything that the access of other programs uses, each a part of it. */
export interface ProgramAccessWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'version' | 'addSecret'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: AgentStore;
  readonly models: Pick<ModelAccess, 'choose'>;
  readonly fleet: Fleet;
  readonly folders: AgentFolders;
  readonly tasksOfAgent: WorkToolsDeps['tasks'];
  readonly approvals: Pick<Approvals, 'gate'>;
}

export interface ProgramAccess {
  readonly mcp: McpAccess;
  /** Calls of programs that act as an agent; loaded with the first one. */
  readonly mcpCalls: () => Promise<AgentToolCalls>;
  readonly data: DataService;
}

/** Part of the composition root: the MCP server and the data service of agents. */
export function buildProgramAccess(wiring: ProgramAccessWiring): ProgramAccess {
  const { layout, disk, settings, agents, models, fleet, folders, tasksOfAgent, approvals } = wiring;
  const { clock, log, version, addSecret } = wiring.ports;
  const mcp = createMcpAccess({ layout, version, clock, log, addSecret });
  const reads = new OutsideReads((agentId) => outsideReader(fleet, agentId));
  const data = createDataService({
    settings,
    layout,
    log,
    addSecret,
    storeOf: (agentId) => fleet.post(agentId)?.store ?? null,
    reads,
  });
  const ownSetup: OwnSetupDeps = {
    agents,
    applyAgents: () => fleet.apply(),
    chooseModel: models.choose,
    disk,
    folders,
  };
  const mcpCalls = async () => {
    const [{ createAgentToolCalls }, { outsideTools }, { ownSetupTools }] = await Promise.all([
      import('./mcp/agent-tool-calls.ts'),
      import('./mcp/outside-tools.ts'),
      import('./mcp/own-setup.ts'),
    ]);
    const outside: OutsideToolsDeps = {
      chatOf: async (agentId) => (await fleet.post(agentId)?.capabilities?.messaging()) ?? null,
      tasks: tasksOfAgent,
      folders,
      disk,
      clock,
      ownSetup: (agent) => ownSetupTools(ownSetup, agent),
    };
    return createAgentToolCalls({
      agents,
      toolsOf: (agent) => outsideTools(outside, agent),
      gate: () => approvals.gate(),
      reads,
      clock,
    });
  };
  return { mcp, mcpCalls, data };
}

function outsideReader(fleet: Fleet, agentId: string): OutsideReader | null {
  const { capabilities, store } = fleet.post(agentId) ?? {};
  return capabilities && store ? { store, audience: capabilities.audience } : null;
}

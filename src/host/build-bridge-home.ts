import type { HostApi } from '../contract/host-api.ts';
import type { Result } from '../contract/result.ts';
import { systemPrompt } from '../core/agents/prompt.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../services/agent-store/agent-types.ts';
import type { BridgeHome } from '../services/bridge/bridge-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { Account } from '../services/puffo/account-types.ts';
import { adoptAgent } from './bridge/adopt-agent.ts';
import { createBridgeAgents } from './bridge/bridge-agents.ts';
import { createBridgeOwners } from './bridge/bridge-owners.ts';
import { publishRole } from './bridge/publish-role.ts';
import { readTurnContext } from './fleet/turn-context.ts';
import type { HostPorts } from './host-ports.ts';
import type { OpenParts, Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import type { Secrets } from './vault/secrets.ts';

/** Everything that the units behind the bridge use, each a part of it. */
export interface BridgeHomeWiring {
  readonly ports: Pick<
    HostPorts,
    'clock' | 'log' | 'mode' | 'version' | 'addSecret' | 'random' | 'loadCrypto'
  >;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly settings: DaemonSettings;
  readonly agents: AgentStore;
  readonly secrets: Secrets;
  readonly operator: Operator;
  readonly fleet: {
    begin(parts: OpenParts): void;
    account(agentId: string): Account | null;
    live(agent: LoadedAgent): { readonly life: string };
  };
  readonly chat: { roomsChanged(): void };
  openParts(): Promise<Result<OpenParts>>;
}

/** Part of the composition root: the host as the bridge sees it. Changes of agents go through `call`. */
export function buildBridgeHome(wiring: BridgeHomeWiring, call: HostApi['call']): BridgeHome {
  const { layout, disk, problems, settings, agents, secrets, operator, fleet } = wiring;
  const { clock, log, mode, version, addSecret } = wiring.ports;
  const account = (id: string) => fleet.account(id);
  const adoption = {
    secrets,
    agents,
    addSecret,
    async startAgents() {
      if (mode !== 'full') return;
      const parts = await wiring.openParts();
      if (parts.ok) fleet.begin(parts.value);
      else problems.set('vault', 'error', parts.error);
    },
    onAdopted(agent: Parameters<BridgeHome['adopt']>[0]) {
      wiring.chat.roomsChanged();
      if (mode === 'full') void publishRole({ account, clock, log }, agent);
    },
  };
  return {
    ...createBridgeAgents({ agents, secrets, home: layout.home }),
    ...createBridgeOwners({ disk, layout, operator }),
    version,
    pid: process.pid,
    prompt({ id }) {
      const agent = agents.get(id);
      const config = agent?.lastGood;
      if (!config || fleet.live(agent).life !== 'running') return null;
      const deps = { home: layout.home, disk, agents, settings, log };
      const { prompt, persona } = readTurnContext(deps, id, config.puffo_core.slug, config);
      return systemPrompt(prompt, persona);
    },
    adopt: (agent) => adoptAgent(adoption, agent),
    act: (method, input) => call({ kind: 'paired-device' }, method, input),
  };
}

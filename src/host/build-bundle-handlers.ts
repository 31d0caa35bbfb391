import type { AgentSummary } from '../contract/model.ts';
import type { Result } from '../contract/result.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import { createBundleHandlers } from './bundles/bundle-handlers.ts';
import { createTransferHandlers } from './bundles/transfer-handlers.ts';
import { createTransfers } from './bundles/transfers.ts';
import type { HostPorts } from './host-ports.ts';
import type { IdentityParts } from './identity/identity.ts';
import type { OpenParts, Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { Secrets } from './vault/secrets.ts';

/** Everything that the units of export and import use, each a part of it. */
export interface BundleWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log' | 'env' | 'mode' | 'loadCrypto'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly agents: AgentStore;
  readonly secrets: Secrets;
  readonly settings: DaemonSettings;
  readonly operator: Operator;
  readonly identity: Pick<IdentityParts, 'newOperator' | 'agentKeys'>;
  openParts(): Promise<Result<OpenParts>>;
  readonly fleet: { apply(): void; begin(parts: OpenParts): void };
  readonly chat: { reset(): void };
  viewChanged(): void;
}

export interface AgentViews {
  register(agent: LoadedAgent): Promise<Result<LoadedAgent>>;
  summarize(agent: LoadedAgent): AgentSummary;
}

/** Part of the composition root: export and import of agents. */
export function buildBundleHandlers(wiring: BundleWiring, { register, summarize }: AgentViews) {
  const { layout, disk, agents, secrets, settings, operator, fleet, chat } = wiring;
  const { newOperator, agentKeys } = wiring.identity;
  const { clock, random, log, env, mode, loadCrypto } = wiring.ports;
  const session = () => operator.session();
  const keyStore = {
    newOperator,
    agents,
    layout,
    startAgents: (parts: OpenParts) => fleet.begin(parts),
    onTaken() {
      chat.reset();
      wiring.viewChanged();
    },
  };
  const imports = {
    source: { loadCrypto, env },
    agent: {
      agents,
      secrets,
      openParts: () => wiring.openParts(),
      placement: { agents, disk, agentsFolder: layout.agents, clock, random },
      registration: { canRegister: () => mode === 'full' && session() !== null, register },
      onImported(agent: string, hasIdentity: boolean) {
        fleet.apply();
        log.info('agent_imported', { agent, identity: hasIdentity });
      },
    },
    keyStore,
    settings: { secrets, settings },
    isRunning: mode === 'full',
  };
  const exports = {
    agents,
    secrets,
    loadIdentity: agentKeys.load,
    operatorSlug: () => session()?.self.slug ?? '',
    clock,
    log,
  };
  const review = { agents, session, keyStore };
  const transfers = createTransfers({ folder: layout.transfers, disk, clock });
  return {
    ...createBundleHandlers({ agents, register, summarize, exports, imports, review }),
    ...createTransferHandlers({ transfers, exports, imports, review }),
  };
}

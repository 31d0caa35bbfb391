import type { Result } from '../contract/result.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../services/agent-store/agent-types.ts';
import { buildDemo, type DemoPlace } from './demo/demo.ts';
import { createDemoAgents } from './demo/demo-agents.ts';
import { demoFile } from './demo/demo-file.ts';
import { sendGreeting } from './demo/demo-greeting.ts';
import { startDemoOperator } from './demo/demo-operator.ts';
import { removeDemo } from './demo/remove-demo.ts';
import { removeDemoAgents } from './demo/remove-demo-agents.ts';
import { forgetRelayRegistry, removeVault } from './demo/remove-vault.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { HostPorts } from './host-ports.ts';
import type { OpenParts, Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { EmbeddedRelay } from './relay/embedded-relay.ts';
import type { Secrets } from './vault/secrets.ts';

/** Everything that the units of the demo use, each a part of it. */
export interface DemoWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly secrets: Secrets;
  readonly operator: Operator;
  readonly relay: EmbeddedRelay;
  readonly agents: AgentStore;
  readonly fleet: Pick<Fleet, 'begin' | 'apply' | 'account' | 'post' | 'withdraw' | 'settled'>;
  readonly chat: { reset(): void };
  openParts(): Promise<Result<OpenParts>>;
  viewChanged(): void;
}

/** Functions of other features that the demo calls. */
export interface DemoHooks {
  register(agent: LoadedAgent): Promise<Result<LoadedAgent>>;
  /** Erases the stores that the vault's keys open. */
  eraseStores(): Promise<Result<void>>;
  closeServers(): void;
}

export interface DemoParts {
  build(): Promise<Result<DemoPlace>>;
  /** Returns what had to stay, or an empty text. */
  remove(): Promise<Result<string>>;
}

/** Part of the composition root: builds and removes the demo. */
export function buildDemoParts(wiring: DemoWiring, hooks: DemoHooks): DemoParts {
  const { disk, layout, secrets, operator, relay, agents, fleet, chat } = wiring;
  const { clock, random } = wiring.ports;
  const file = demoFile({ disk, layout });
  const { register, eraseStores, closeServers } = hooks;
  const operatorDeps = {
    openParts: () => wiring.openParts(),
    relay,
    operator,
    startAgents: (parts: OpenParts) => fleet.begin(parts),
    onStarted: () => wiring.viewChanged(),
    clock,
  };
  const demo = {
    file,
    secrets,
    operator,
    startOperator: () => startDemoOperator(operatorDeps),
    agents: createDemoAgents({ agents, fleet, session: () => operator.session(), register, clock }),
    sendGreeting: (record: Parameters<typeof sendGreeting>[1]) =>
      sendGreeting({ file, guide: () => fleet.post('guide'), clock, random }, record),
  };
  const removal = {
    file,
    removeAgents: () => removeDemoAgents({ agents, fleet, relay, disk, layout }),
    operator,
    onOperatorErased() {
      chat.reset();
      closeServers();
    },
    relay,
    removeKeys(isDemoVault: boolean) {
      const forgotten = forgetRelayRegistry({ disk, layout });
      if (!forgotten.ok) return Promise.resolve(forgotten);
      return removeVault({ disk, layout, secrets, eraseStores }, isDemoVault);
    },
  };
  return {
    async build() {
      const built = await buildDemo(demo);
      if (built.ok) wiring.viewChanged();
      return built;
    },
    async remove() {
      const removed = await removeDemo(removal);
      wiring.viewChanged();
      return removed;
    },
  };
}

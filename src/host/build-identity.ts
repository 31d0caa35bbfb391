import type { Result } from '../contract/result.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../services/agent-store/agent-types.ts';
import type { Account } from '../services/puffo/account-types.ts';
import type { HostPorts } from './host-ports.ts';
import { createAgentKeys } from './identity/agent-keys.ts';
import { DeviceEnrolment } from './identity/device-enrolment.ts';
import { Devices } from './identity/devices.ts';
import type { IdentityParts } from './identity/identity.ts';
import { createNewOperator } from './identity/new-operator.ts';
import type { OpenParts, Operator } from './identity/operator.ts';
import { Peers } from './identity/peers.ts';
import { createPendingRegistrations } from './identity/pending-registrations.ts';
import { createPendingRetirements } from './identity/pending-retirements.ts';
import { createProfileHolders, operatorProfile } from './identity/profile-holder.ts';
import { ProfileSync } from './identity/profile-sync.ts';
import { Registrations } from './identity/registrations.ts';
import { Retirements } from './identity/retirements.ts';
import { retryLoops } from './identity/retry-loop.ts';
import { createServerRetirement } from './identity/server-retirement.ts';
import { SignUps } from './identity/sign-ups.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import type { Secrets } from './vault/secrets.ts';

/** Everything that the units of identity use, each a part of it. */
export interface IdentityWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly agents: AgentStore;
  readonly secrets: Secrets;
  readonly operator: Operator;
  readonly openParts: () => Promise<Result<OpenParts>>;
  readonly fleet: {
    begin(parts: OpenParts): void;
    account(agentId: string): Account | null;
    acceptKeyChange(agentId: string, slug: string): void;
  };
  /** The folder has an operator now. */
  readonly onAdopted: () => void;
  readonly register: (agent: LoadedAgent) => Promise<Result<LoadedAgent>>;
}

/** Part of the composition root: the identities of operator and agents. */
export function buildIdentity(wiring: IdentityWiring): IdentityParts {
  const { layout, disk, problems, agents, operator, openParts, fleet } = wiring;
  const { clock, random, log } = wiring.ports;
  const session = () => operator.session();
  const createRetryLoop = retryLoops({ clock, random, log });
  const agentKeys = createAgentKeys({ disk, layout, openParts });
  const newOperator = createNewOperator({
    operator,
    secrets: wiring.secrets,
    openParts,
    startAgents: (parts) => fleet.begin(parts),
    onAdopted: wiring.onAdopted,
  });

  const pendingRegistrations = createPendingRegistrations({ disk, layout, problems });
  const registrations = new Registrations({
    pending: pendingRegistrations,
    agents,
    problems,
    createRetryLoop,
    isSignedIn: () => session() !== null,
    register: wiring.register,
  });
  const retirements = new Retirements({
    pending: createPendingRetirements({ disk, path: layout.retiredAgents, problems, clock, log }),
    server: createServerRetirement({ session, openParts, clock, random, log }),
    agents,
    agentKeys,
    createRetryLoop,
    clock,
  });
  const profiles = new ProfileSync({
    findHolder: createProfileHolders({
      agents,
      account: (id) => fleet.account(id),
      operator,
      layout,
    }),
    disk,
    problems,
    clock,
    random,
    async aheadMs(serverUrl) {
      const parts = await openParts();
      if (!parts.ok) return 0;
      const directory = parts.value.servers.directory(parts.value.currentUrl(serverUrl));
      return directory.ok ? directory.value.skew.aheadMs() : 0;
    },
  });
  const peers = new Peers({
    session,
    openParts,
    agents,
    problems,
    acceptKeyChange: (agentId, slug) => fleet.acceptKeyChange(agentId, slug),
    log,
  });
  return {
    newOperator,
    agentKeys,
    signUps: new SignUps({ newOperator, disk, draftFile: layout.signUpDraft, problems, clock }),
    registrations: pendingRegistrations,
    retirements,
    profiles,
    enrolment: new DeviceEnrolment({ newOperator, disk, draftFile: layout.deviceDraft, clock }),
    devices: new Devices({ session, openParts, clock }),
    peers,
    online() {
      registrations.online();
      retirements.online();
      void peers.online();
      profiles.online(operatorProfile);
    },
    stop() {
      registrations.stop();
      retirements.stop();
      profiles.stop();
    },
  };
}

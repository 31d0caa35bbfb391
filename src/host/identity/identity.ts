import type { AgentKeys } from './agent-keys.ts';
import type { DeviceEnrolment } from './device-enrolment.ts';
import type { Devices } from './devices.ts';
import type { NewOperator } from './new-operator.ts';
import type { Peers } from './peers.ts';
import type { PendingRegistrations } from './pending-registrations.ts';
import type { ProfileSync } from './profile-sync.ts';
import type { Retirements } from './retirements.ts';
import type { SignUps } from './sign-ups.ts';

/** Identities of the operator and the agents at their servers. */
export interface IdentityParts {
  readonly newOperator: NewOperator;
  readonly agentKeys: AgentKeys;
  readonly signUps: SignUps;
  readonly registrations: PendingRegistrations;
  readonly profiles: ProfileSync;
  readonly retirements: Retirements;
  readonly enrolment: DeviceEnrolment;
  readonly devices: Devices;
  readonly peers: Peers;
  /** Call it when the operator's account is online. */
  online(): void;
  stop(): void;
}

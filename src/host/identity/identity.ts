import type { HostContext } from '../context.ts';
import { Devices } from './devices.ts';
import { Peers } from './peers.ts';
import { operatorProfile } from './profile-holder.ts';
import { ProfileSync } from './profile-sync.ts';
import { Registrations } from './registrations.ts';
import { Retirements } from './retirements.ts';
import { SignUps } from './sign-ups.ts';

/** Identities of the operator and the agents at their servers. */
export interface IdentityParts {
  readonly signUps: SignUps;
  readonly registrations: Registrations;
  readonly profiles: ProfileSync;
  readonly retirements: Retirements;
  readonly devices: Devices;
  readonly peers: Peers;
  online(): void;
  stop(): void;
}

export function createIdentityParts(context: () => HostContext): IdentityParts {
  const registrations = new Registrations(context);
  const retirements = new Retirements(context);
  const peers = new Peers(context);
  const profiles = new ProfileSync(context);
  return {
    signUps: new SignUps(context),
    registrations,
    retirements,
    profiles,
    devices: new Devices(context),
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

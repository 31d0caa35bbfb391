/**
 * Everything that the accounts of one server share: connections, timers, certificates and pins, names,
 * memberships. It queries the server through any account that can sign.
 */

import { createSemaphore, type Semaphore } from '../../core/lib/semaphore.ts';
import type { Clock, CryptoEngine, Log } from '../../core/ports.ts';
import type { RegistryStore, SealedChannels } from '../../core/puffo/registry-store.ts';
import { type ChannelFormats, createChannelFormats, type ListedChannel } from './channel-formats.ts';
import { createServerClock, type ServerClock } from './clock-skew.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createMembers, type Members } from './members.ts';
import { createProfiles, type Profiles } from './profiles.ts';
import type { SignedClient } from './signed-client.ts';
import { createSignedRequests, type SignedRequests } from './signed-requests.ts';
import { createWheel, type Wheel } from './timer-wheel.ts';
import { createTransport, type Transport } from './transport.ts';

export interface DirectoryDeps {
  readonly serverUrl: string;
  readonly registryStore: RegistryStore & SealedChannels;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called if the server calls a channel plaintext that this computer knows as encrypted, or no longer does.
   */
  onDispute?(channel: ListedChannel, open: boolean): void;
}

export interface ServerDirectory {
  readonly serverUrl: string;
  readonly transport: Transport;
  readonly wheel: Wheel;
  readonly skew: ServerClock;
  readonly requests: SignedRequests;
  /** Limits how many accounts connect at the same time. */
  readonly connecting: Semaphore;
  readonly identities: Identities;
  readonly profiles: Profiles;
  readonly members: Members;
  readonly formats: ChannelFormats;
  /** Lends an account's signature for shared requests until the returned function is called. */
  lend(client: SignedClient): () => void;
  stop(): void;
}

const handshakesAtOnce = 16;

export function createServerDirectory(deps: DirectoryDeps): ServerDirectory {
  const transport = createTransport(deps.serverUrl, deps.clock);
  const clients: SignedClient[] = [];
  const client = (): SignedClient | null => clients.at(-1) ?? null;
  const { clock, crypto, log, registryStore: store } = deps;
  const wheel = createWheel(clock);
  const skew = createServerClock(clock);
  const identities = createIdentities({ store, crypto, clock, log, client });
  return {
    serverUrl: transport.serverUrl,
    transport,
    wheel,
    skew,
    requests: createSignedRequests({ transport, skew, crypto, clock }),
    connecting: createSemaphore(handshakesAtOnce),
    identities,
    profiles: createProfiles({
      store,
      clock,
      client,
      verifiedType: (slug) => identities.remembered(slug)?.identityType ?? null,
    }),
    members: createMembers(clock),
    formats: createChannelFormats({
      store,
      onDispute: (channel, open) => {
        log.warn('channel.format_disputed', { channel: channel.id, open });
        deps.onDispute?.(channel, open);
      },
    }),
    lend(lent) {
      clients.push(lent);
      return () => {
        const at = clients.lastIndexOf(lent);
        if (at >= 0) clients.splice(at, 1);
      };
    },
    stop() {
      wheel.stop();
      transport.close();
    },
  };
}

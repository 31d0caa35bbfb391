/** The embedded relay as the host uses it, in a worker thread or in this one. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { inviteDays } from '../../contract/invite-link.ts';
import type { ServerRow } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, CryptoEngine, Log, Random } from '../../core/ports.ts';
import { createRelay } from '../../relay/relay.ts';
import type { RelayStore, RoomQuery } from '../../relay/store-port.ts';
import { openRelayStore } from '../../services/db/relay-store.ts';

export interface RelayPerson {
  readonly slug: string;
  readonly displayName: string;
  readonly agent: boolean;
  readonly createdAt: number;
}

export interface HostedRelay {
  readonly url: string;
  readonly port: number;
  /** A new single-use code that is valid for `inviteDays`. */
  createInvite(): Promise<string>;
  serverView(room: RoomQuery, limit: number): Promise<readonly ServerRow[]>;
  status(mostPeople: number): Promise<{ connections: number; people: readonly RelayPerson[] }>;
  /** Idempotent. */
  stop(): Promise<void>;
}

export interface OpenRelayDeps {
  readonly file: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Retries once after an I/O error, which may be transient (F5). */
function openStore(file: string): RelayStore {
  try {
    return openRelayStore(file);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'io_error') throw error;
    return openRelayStore(file);
  }
}

/** Errors are those of `createRelay` and of the store. */
export async function openRelay(deps: OpenRelayDeps): Promise<Result<HostedRelay>> {
  const { file, port, ...rest } = deps;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const listen = { host: '127.0.0.1', port };
    const opened = await createRelay({ ...rest, store: openStore(file) }, { listen, hosts: 'loopback' });
    if (!opened.ok) return opened;
    const relay = opened.value;
    return ok({
      url: relay.url,
      port: relay.port,
      createInvite: async () => relay.createInvite({ validForMs: inviteDays * 86_400_000 }),
      serverView: async (room, limit) => relay.serverView(room, limit),
      status: async (mostPeople) => ({
        connections: relay.connections(),
        people: relay.people(mostPeople).map(({ slug, displayName, identityType, createdAt }) => ({
          slug,
          displayName,
          createdAt,
          agent: identityType === 'agent',
        })),
      }),
      stop: () => relay.stop(),
    });
  } catch (error) {
    if (error instanceof StoreError) return err(error.toAppError());
    throw error;
  }
}

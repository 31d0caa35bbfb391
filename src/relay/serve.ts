/**
 * `kennel relay` without its command line: serves a data folder, and creates an invite for one (even while it
 * is served). The caller passes the function that opens the store, because the relay does not depend on
 * SQLite.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../contract/result.ts';
import { StoreError } from '../core/lib/store-error.ts';
import type { Clock, CryptoEngine, Log, Random } from '../core/ports.ts';
import { say } from '../language/say.ts';
import { type InviteOptions, mintInviteCode } from './invites.ts';
import type { RelayLimits } from './limits.ts';
import { createRelay, type Relay } from './relay.ts';
import type { RelayStore } from './store-port.ts';

export const defaultListen = { host: '127.0.0.1', port: 63390 } as const;
export const relayFileName = 'relay.db';

export interface ServeDeps {
  /** Throws `StoreError`; `exclusive` fails while another relay serves the file. */
  openStore(path: string, options: { readonly exclusive: boolean }): RelayStore;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ServeOptions {
  readonly dataDir: string;
  readonly listen?: { readonly host: string; readonly port: number };
  readonly log: Log;
  readonly limits?: Partial<RelayLimits>;
  /** Further allowed Host headers; without them only loopback addresses and the listening address. */
  readonly hosts?: readonly string[];
}

/**
 * Errors: `locked` (another relay serves the folder), `unavailable` (address), `invalid_input` (every address without
 * a name), `disk_full`, `io_error`, `corrupt`.
 */
export async function serveRelay(deps: ServeDeps, options: ServeOptions): Promise<Result<Relay>> {
  try {
    const { crypto, clock, random } = deps;
    const { log, listen = defaultListen, limits = {}, hosts = 'loopback' } = options;
    const store = open(deps, options.dataDir, true);
    return await createRelay({ store, crypto, clock, random, log }, { listen, limits, hosts });
  } catch (error) {
    return storeProblem(error);
  }
}

/** Creates an invite code for this folder, even while a relay serves it. */
export function mintInvite(deps: ServeDeps, dataDir: string, options?: InviteOptions): Result<string> {
  try {
    const store = open(deps, dataDir, false);
    try {
      return ok(mintInviteCode(store.people, deps.crypto, deps.random, deps.clock.now(), options));
    } finally {
      store.close();
    }
  } catch (error) {
    return storeProblem(error);
  }
}

function open(deps: ServeDeps, dataDir: string, exclusive: boolean): RelayStore {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError('io_error', say('relay.folderNotMade', { dataDir }), { cause: error });
  }
  return deps.openStore(join(dataDir, relayFileName), { exclusive });
}

function storeProblem(error: unknown): Result<never> {
  if (error instanceof StoreError) return err(error.toAppError());
  throw error;
}

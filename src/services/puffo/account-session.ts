/** An identity that can sign at its server: its subkey and its requests, until `end`. */
import { setMaxListeners } from 'node:events';
import type { Clock, CryptoEngine, Log } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { createSignedClient, type SignedClient } from './signed-client.ts';
import type { SignedRequests } from './signed-requests.ts';
import { type SessionFile, Subkeys } from './subkeys.ts';

export interface AccountSessionDeps {
  readonly identity: Identity;
  readonly sessions: SessionFile;
  readonly requests: SignedRequests;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly log: Log;
}

export interface AccountSession {
  readonly identity: Identity;
  readonly subkeys: Subkeys;
  readonly client: SignedClient;
  /** Aborted by `end`. */
  readonly signal: AbortSignal;
  /** Aborts every request, also later ones. */
  end(): void;
}

export function createAccountSession(deps: AccountSessionDeps): AccountSession {
  const { identity, requests, clock } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  setMaxListeners(0, signal);
  const subkeys = new Subkeys(deps);
  const client = createSignedClient({ slug: identity.slug, requests, subkeys, clock, signal });
  return { identity, subkeys, client, signal, end: () => ending.abort() };
}

/**
 * The relay: one HTTP and WebSocket server over one store. It registers identities, stores spaces and
 * members, delivers envelopes it cannot decrypt, and answers 201 only for what is on disk. It owns the store
 * and closes it at the end.
 */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { errorText } from '../contract/errors.ts';
import { fail } from '../contract/fail.ts';
import type { ServerRow } from '../contract/model.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { Clock, CryptoEngine, Log, Random, Timer } from '../core/ports.ts';
import { capConnections } from '../platform/connection-caps.ts';
import { listenOn } from '../platform/listen-on.ts';
import { BodyBudget } from '../platform/read-body.ts';
import { createRelayClients, isEveryAddress, type ServedNames, urlHost } from './allowed-clients.ts';
import { CommitQueue } from './commit-queue.ts';
import type { RelayContext } from './context.ts';
import { createHttpApp } from './http-app.ts';
import { type InviteOptions, mintInviteCode } from './invites.ts';
import { defaultLimits, type RelayLimits } from './limits.ts';
import { Hub } from './live-connections.ts';
import { NonceStore } from './nonces.ts';
import { createRequestRates, type RequestRates } from './request-rates.ts';
import { loadServerKey } from './server-key.ts';
import { serverRows } from './server-view.ts';
import type { IdentityRow, RelayStore, RoomQuery } from './store-port.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface RelayDeps {
  readonly store: RelayStore;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface RelayOptions {
  /** Port 0 means any free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly limits?: Partial<RelayLimits>;
  /** `loopback` if absent. Required to listen on every address. */
  readonly hosts?: ServedNames;
}

export interface Relay {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Finishes accepted work, then closes connections and store. Idempotent. */
  stop(): Promise<void>;
  /** Creates a single-use code. */
  createInvite(options?: InviteOptions): string;
  serverView(room: RoomQuery, limit: number): readonly ServerRow[];
  connections(): number;
  /** Registered identities, sorted by slug. */
  people(limit: number): readonly IdentityRow[];
}

/**
 * Errors: `invalid_input` if it listens on every address without a name, `unavailable` if the address cannot be
 * bound. Throws `StoreError` if the store fails at start.
 */
export async function createRelay(deps: RelayDeps, options: RelayOptions): Promise<Result<Relay>> {
  const limits = { ...defaultLimits, ...options.limits };
  const { store, crypto, clock, random, log } = deps;
  const { listen: address, hosts: names = 'loopback' } = options;
  if (names === 'loopback' && isEveryAddress(address.host)) {
    store.close();
    return err(fail('invalid_input', 'relay.nameNeeded', {}, { help: 'relay.giveName' }));
  }
  const queue = new CommitQueue(store, clock);
  const context: RelayContext = {
    store,
    queue,
    hub: new Hub(),
    crypto,
    clock,
    random,
    log,
    limits,
    serverKey: loadServerKey(store, crypto, random),
  };
  const auth = { people: store.people, crypto, clock, replays: new NonceStore(store.nonces, queue) };
  const rates = createRequestRates(clock, limits);
  const bodies = new BodyBudget(
    {
      bytes: limits.bodiesBytes,
      bytesPerAddress: limits.bodiesBytesPerAddress,
      slowMs: limits.slowBodyMs,
    },
    clock,
  );
  let trust: (connection: Duplex) => void = () => undefined;
  const clients = createRelayClients({
    names,
    listensOn: address.host,
    trust: (connection) => trust(connection),
  });
  const app = createHttpApp({ context, auth, rates, bodies, clients });
  const server = httpServer(app.fetch, limits);
  ({ trust } = capConnections(server, limits));
  const subscriptions = createSubscriptions({ context, auth, requests: rates.requests, clients });
  server.on('upgrade', (request, socket, head) => subscriptions.upgrade(request, socket, head));
  const port = await listen(server, address);
  if (!port.ok) {
    store.close();
    return port;
  }
  clients.listening(port.value);
  const upkeep = startUpkeep(context, rates);
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    upkeep.cancel();
    subscriptions.stop();
    await closeServer(server, () => subscriptions.terminate());
    queue.flush();
    store.close();
  };
  log.info('relay.listening', { host: address.host, port: port.value });
  return ok({
    url: `http://${urlHost(address.host)}:${port.value}`,
    port: port.value,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    createInvite: (options) => mintInviteCode(store.people, crypto, random, clock.now(), options),
    serverView: (room, limit) => serverRows(store, room, limit),
    connections: () => subscriptions.count(),
    people: (limit) => store.people.everybody(limit),
  });
}

function httpServer(fetch: Parameters<typeof createAdaptorServer>[0]['fetch'], limits: RelayLimits): Server {
  const server = createAdaptorServer({
    fetch,
    // The host runs in this process too and needs Node's own Request and Response.
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: limits.headerMs,
      requestTimeout: limits.headerMs + Math.max(limits.bodyMs, limits.blobMs),
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headerMs),
      maxHeaderSize: 16 * 1024,
    },
  }) as Server;
  server.timeout = limits.idleMs;
  server.maxRequestsPerSocket = 0;
  return server;
}

async function listen(server: Server, address: RelayOptions['listen']): Promise<Result<number>> {
  const listening = await listenOn(server, { port: address.port, host: address.host });
  if (listening.ok) return ok(listening.port);
  const { code } = listening.error as NodeJS.ErrnoException;
  return err(
    fail(
      'unavailable',
      code === 'EADDRINUSE' ? 'relay.portInUse' : 'relay.listenFailed',
      { address: `${address.host}:${address.port}` },
      { help: 'relay.chooseAddress', where: code ?? '' },
    ),
  );
}

/**
 * Close frames and running requests get a moment of real time; then even connections that never end are cut.
 */
function closeServer(server: Server, cutSockets: () => void): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      cutSockets();
      server.closeAllConnections();
    }, 500);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Periodically deletes old nonces, messages and full rate-limit buckets. */
function startUpkeep(context: RelayContext, rates: RequestRates): Timer {
  const { clock, limits, store, log } = context;
  let timer: Timer;
  const run = (): void => {
    rates.sweep();
    const now = clock.now();
    try {
      const gone = store.prune({
        now,
        deliveredBefore: now - limits.keepDeliveredMs,
        undeliveredBefore: now - limits.keepUndeliveredMs,
      });
      if (gone.messages + gone.blobs > 0) log.info('relay.pruned', gone);
    } catch (error) {
      log.error('relay.prune_failed', { message: errorText(error) });
    }
    timer = clock.after(limits.pruneMs, run, { unref: true });
  };
  timer = clock.after(limits.pruneMs, run, { unref: true });
  return { cancel: () => timer.cancel() };
}

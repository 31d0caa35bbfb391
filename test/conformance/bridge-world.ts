/** A bridge over parts of a real host: its files, vault, dispatcher and a listener; no agent runs. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { createScope } from '../../src/core/lib/scope.ts';
import { type BridgeAppWiring, bridgeApp } from '../../src/host/bridge/bridge-app.ts';
import { createBridgeHandlers } from '../../src/host/bridge/bridge-handlers.ts';
import { buildBridgeHome } from '../../src/host/build-bridge-home.ts';
import { buildFeatures, type Features } from '../../src/host/build-features.ts';
import { buildAgentHandlers } from '../../src/host/build-handlers.ts';
import { createDispatch, type Handlers } from '../../src/host/dispatch.ts';
import type { HostPorts } from '../../src/host/host-ports.ts';
import { openBridgeServer } from '../../src/services/bridge/bridge-server.ts';
import { createPairingFile } from '../../src/services/bridge/pairing-file.ts';
import { createPairingWindow, type PairingWindow } from '../../src/services/bridge/pairing-window.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock.ts';
import { newHome, testPorts } from '../host/host-rig.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface BridgeWorld {
  readonly home: string;
  readonly context: Features;
  readonly clock: VirtualClock;
  readonly window: PairingWindow;
  readonly port: number;
  /** Events that the bridge sent to its host. */
  readonly told: string[];
  ask(ask: Ask): Promise<Answer>;
  close(): Promise<void>;
}

function send(port: number, { method, path: target, headers = {}, body }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: target, headers, setHost: false };
    const sent = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface WorldOptions {
  /** Reuses the home of an earlier world. */
  readonly home?: string;
  readonly over?: Partial<HostPorts>;
}

/** The bridge treats the port of the recordings as its own; it listens on any free port. */
export async function openBridgeWorld(options: WorldOptions = {}): Promise<BridgeWorld> {
  const place = options.home === undefined ? newHome() : { home: options.home, remove: () => undefined };
  const { home } = place;
  const clock = createVirtualClock();
  const keychain = createMemoryKeychain();
  const base = await testPorts(home, { clock, mode: 'files', loadKeychain: async () => keychain });
  const all = { ...base, ...options.over };
  const context = buildFeatures(all, createScope(all), () => 'ready');
  const handlers = {
    ...buildAgentHandlers(context),
    ...createBridgeHandlers({
      agents: context.agents,
      bridge: context.bridge,
      apiKeys: context.secrets.apiKeys,
    }),
  } as unknown as Handlers;
  const call = createDispatch(handlers, context.ports.log);
  const crypto = await context.ports.loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const window = createPairingWindow(clock, context.ports.random);
  const told: string[] = [];
  const events: Pick<BridgeAppWiring, 'onPaired' | 'onUnpaired' | 'onTooManyFailures'> = {
    onPaired: (now, before) => told.push(`paired ${now.slug}${before ? ` instead of ${before.slug}` : ''}`),
    onUnpaired: (before) => told.push(`unpaired ${before.slug}`),
    onTooManyFailures: () => told.push('too many failures'),
  };
  const ports = (): readonly number[] => [63_387, server.ok ? server.value.port : 0];
  const app = bridgeApp({
    crypto: crypto.value,
    clock,
    file: createPairingFile(context.disk, context.layout.pairing),
    window,
    noncesFile: context.layout.bridgeNonces,
    home: buildBridgeHome(context, call),
    ports,
    allowedOrigins: () => context.settings.config().bridge.allowed_origins,
    ...events,
  });
  const server = await openBridgeServer({ host: '127.0.0.1', port: 0, app, ...context.ports });
  if (!server.ok) throw new Error(server.error.message);
  const { port } = server.value;
  return {
    home,
    context,
    clock,
    window,
    port,
    told,
    ask: (ask) => send(port, ask),
    close: async () => {
      await server.value.close();
      context.agents.stop();
      place.remove();
    },
  };
}

/** Writes a file with the modification time of the recordings. */
export function putFile(folder: string, name: string, content: string | Buffer, mtimeMs: number): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
  if (path.dirname(file) !== folder) utimesSync(path.dirname(file), mtimeMs / 1000, mtimeMs / 1000);
}

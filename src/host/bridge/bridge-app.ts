import type { HostApi } from '../../contract/host-api.ts';
import { parseGuardedJson } from '../../core/lib/guarded-json.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { type BridgeApp, type BridgeAppDeps, createBridgeApp } from '../../services/bridge/bridge-app.ts';
import type { ParseJson } from '../../services/bridge/bridge-types.ts';
import { createNonceBook } from '../../services/bridge/nonce-book.ts';
import type { HostContext } from '../context.ts';
import { createBridgeHome } from './bridge-home.ts';

const maxJsonDepth = 64;

const parseJson: ParseJson = (body) => {
  const parsed = parseGuardedJson(body, maxJsonDepth);
  return parsed.ok ? { value: parsed.value } : null;
};

export interface HostBridgeOptions extends Pick<BridgeAppDeps, 'crypto' | 'pairing' | 'window' | 'ports'> {
  readonly context: HostContext;
  readonly call: HostApi['call'];
  readonly crypto: CryptoEngine;
  readonly events: Pick<BridgeAppDeps, 'onPaired' | 'onUnpaired' | 'onTooManyFailures'>;
}

export function bridgeApp({ context, call, events, ...deps }: HostBridgeOptions): BridgeApp {
  return createBridgeApp({
    ...deps,
    ...events,
    parseJson,
    clock: context.ports.clock,
    home: createBridgeHome(context, call),
    nonces: createNonceBook(context.layout.bridgeNonces),
    allowedOrigins: () => context.settings.config().bridge.allowed_origins,
  });
}

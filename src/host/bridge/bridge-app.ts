import { parseGuardedJson } from '../../core/lib/guarded-json.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { type BridgeApp, createBridgeApp } from '../../services/bridge/bridge-app.ts';
import { createGate, type GateOptions } from '../../services/bridge/bridge-gate.ts';
import { createBridgeRoutes } from '../../services/bridge/bridge-routes.ts';
import type { BridgeHome, ParseJson } from '../../services/bridge/bridge-types.ts';
import { type CurrentPairingDeps, createCurrentPairing } from '../../services/bridge/current-pairing.ts';
import { createInfoRoute } from '../../services/bridge/info-route.ts';
import { createNonceBook } from '../../services/bridge/nonce-store.ts';
import { readPairRequest } from '../../services/bridge/pair-request.ts';
import { createPairRoute } from '../../services/bridge/pair-route.ts';
import type { PairingWindow } from '../../services/bridge/pairing-window.ts';
import { createBridgeSignatures } from '../../services/bridge/signed-request.ts';

const maxJsonDepth = 64;

const parseJson: ParseJson = (body) => {
  const parsed = parseGuardedJson(body, maxJsonDepth);
  return parsed.ok ? { value: parsed.value } : null;
};

/** Everything that the parts of the bridge use, each a part of it. */
export interface BridgeAppWiring extends GateOptions, Omit<CurrentPairingDeps, 'home'> {
  readonly home: BridgeHome;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly noncesFile: string;
  readonly window: PairingWindow;
  onTooManyFailures(): void;
}

/** Part of the composition root: the bridge without its listener. */
export function bridgeApp(wiring: BridgeAppWiring): BridgeApp {
  const { home, crypto, clock, window, allowedOrigins, onTooManyFailures } = wiring;
  const pairings = createCurrentPairing(wiring);
  const signatures = createBridgeSignatures({ crypto, clock, nonces: createNonceBook(wiring.noncesFile) });
  const pairRoute = createPairRoute({
    signatures,
    pairings,
    window,
    readPair: (request) => readPairRequest({ crypto, parseJson }, request, clock.now()),
    onTooManyFailures,
  });
  return createBridgeApp({
    gate: createGate(wiring),
    signatures,
    pairings,
    pairRoute,
    info: createInfoRoute({ home, pairings, allowedOrigins }),
    routes: createBridgeRoutes({ home, crypto, clock, parseJson }),
  });
}

import { parseGuardedJson } from '../../core/lib/guarded-json.ts';
import { type BridgeApp, type BridgeAppDeps, createBridgeApp } from '../../services/bridge/bridge-app.ts';
import type { ParseJson } from '../../services/bridge/bridge-types.ts';
import { createNonceBook } from '../../services/bridge/nonce-book.ts';

const maxJsonDepth = 64;

const parseJson: ParseJson = (body) => {
  const parsed = parseGuardedJson(body, maxJsonDepth);
  return parsed.ok ? { value: parsed.value } : null;
};

export interface HostBridgeDeps extends Omit<BridgeAppDeps, 'parseJson' | 'nonces'> {
  readonly noncesFile: string;
}

export const bridgeApp = ({ noncesFile, ...deps }: HostBridgeDeps): BridgeApp =>
  createBridgeApp({ ...deps, parseJson, nonces: createNonceBook(noncesFile) });

/** GET /v1/info. */
import { type BridgeHead, type BridgeHome, type BridgeResponse, jsonResponse } from './bridge-types.ts';
import type { CurrentPairing } from './current-pairing.ts';

export interface InfoRouteDeps {
  readonly home: BridgeHome;
  readonly pairings: Pick<CurrentPairing, 'read'>;
  allowedOrigins(): readonly string[];
}

/** A page of an allowed origin learns what 0.8 told everyone; others learn only that a bridge exists. */
export const createInfoRoute =
  ({ home, pairings, allowedOrigins }: InfoRouteDeps) =>
  ({ headers }: BridgeHead): BridgeResponse => {
    const service = { service: 'puffo-agent-bridge', version: 'v1' };
    if (!allowedOrigins().includes(headers.origin ?? '')) return jsonResponse(200, service);
    const paired = pairings.read();
    return jsonResponse(200, {
      ...service,
      daemon_version: home.version,
      pid: home.pid,
      agent_count: home.list().length,
      paired: paired !== null,
      paired_slug: paired?.slug ?? null,
      paired_device_id: paired?.device_id ?? null,
    });
  };

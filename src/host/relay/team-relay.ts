import { join } from 'node:path';
import type { Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import type { RelayLimits } from '../../relay/limits.ts';
import type { Relay } from '../../relay/relay.ts';
import { mintInvite, serveRelay } from '../../relay/serve.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { selectCryptoEngine } from '../../services/crypto/select-engine.ts';
import { openRelayStore } from '../../services/db/relay-store.ts';
import { createJsonLog } from '../../services/log/json-log.ts';
import { createScrubber } from '../../services/log/scrub.ts';

/** The standalone relay of a team logs to standard error, like other servers. */
const serverLog = (): Log =>
  createJsonLog({
    level: 'info',
    scrubber: createScrubber(),
    write: (line) => void process.stderr.write(line),
  });

async function relayDeps() {
  const crypto = await selectCryptoEngine();
  if (!crypto.ok) return crypto;
  const deps = {
    openStore: openRelayStore,
    crypto: crypto.value.engine,
    clock: createSystemClock(),
    random: createSystemRandom(),
  };
  return { ok: true, value: deps } as const;
}

export async function startTeamRelay(options: {
  readonly dataDir: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly limits?: Partial<RelayLimits>;
  readonly hosts?: readonly string[];
}): Promise<Result<Relay>> {
  const deps = await relayDeps();
  return deps.ok ? serveRelay(deps.value, { ...options, log: serverLog() }) : deps;
}

/** A new invite code for the relay of this folder, running or not. */
export async function mintRelayInvite(dataDir: string): Promise<Result<string>> {
  const deps = await relayDeps();
  return deps.ok ? mintInvite(deps.value, dataDir) : deps;
}

export const teamRelayStore = (dataDir: string): string => join(dataDir, 'relay.db');

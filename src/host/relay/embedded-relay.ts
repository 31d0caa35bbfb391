import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { ok, type Result } from '../../contract/result.ts';
import { backoffMs } from '../../core/lib/backoff.ts';
import { SharedRun } from '../../core/lib/shared-run.ts';
import type { CryptoEngine, DiskPort, Timer } from '../../core/ports.ts';
import { withoutEndSlashes } from '../../core/puffo/server-url.ts';
import { say } from '../../language/say.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import type { Problems } from '../problems.ts';
import { recordFile } from '../stores/record-file.ts';
import type { HostedRelay } from './open-relay.ts';

const relayRecord = z.object({
  port: z.number().int().min(1).max(65_535),
  /** Former addresses; agent configurations that name one are updated. */
  formerUrls: z.array(z.string()).max(50),
});

/** The relay inside this host. It keeps its port across restarts unless another process uses it. */
export interface EmbeddedRelay {
  /** Idempotent. */
  start(crypto: CryptoEngine): Promise<Result<HostedRelay>>;
  current(): HostedRelay | null;
  /** Whether this folder has a relay, running or not. */
  exists(): boolean;
  /** Whether a server address is, or was, this relay's. */
  isOurs(serverUrl: string): boolean;
  stop(): Promise<void>;
  /** Stops the relay and deletes its data. */
  erase(): Promise<Result<void>>;
}

type RelayPorts = Pick<HostPorts, 'clock' | 'random' | 'log' | 'relayThread'>;

export interface EmbeddedRelayDeps {
  readonly ports: RelayPorts;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
}

const restartPolicy = { firstMs: 1_000, maxMs: 60_000 } as const;
/** ms after which the restart back-off resets. */
const steadyMs = 60_000;

export function createEmbeddedRelay(deps: EmbeddedRelayDeps): EmbeddedRelay {
  const { ports, layout, disk, problems } = deps;
  const record = createRelayRecord(disk, layout.relayFile);
  let running: HostedRelay | null = null;
  const starting = new SharedRun<Result<HostedRelay>>();
  let restart: Timer | null = null;
  let crashes = 0;
  let startedAt = 0;

  const open = (crypto: CryptoEngine, port: number): Promise<Result<HostedRelay>> =>
    launch(ports, layout.relayStore, crypto, port, (message) => crashed(crypto, message));

  /** `mayMove` allows another port if the saved one is in use. */
  const start = async (crypto: CryptoEngine, mayMove: boolean): Promise<Result<HostedRelay>> => {
    const before = record.read();
    let relay = await open(crypto, before?.port ?? 0);
    if (!relay.ok && relay.error.code === 'unavailable' && before && mayMove) relay = await open(crypto, 0);
    if (!relay.ok) return relay;
    const saved = record.write(relay.value.port);
    if (!saved.ok) {
      await relay.value.stop();
      return saved;
    }
    ports.log.info('relay_started', { url: relay.value.url });
    running = relay.value;
    startedAt = ports.clock.monotonic();
    return relay;
  };

  const startOnce = (crypto: CryptoEngine, mayMove: boolean): Promise<Result<HostedRelay>> => {
    restart?.cancel();
    return starting.run(() => start(crypto, mayMove));
  };

  const crashed = (crypto: CryptoEngine, message: string): void => {
    ports.log.error('relay_crashed', { message });
    if (running && ports.clock.monotonic() - startedAt > steadyMs) crashes = 0;
    running = null;
    problems.set('relay', 'error', {
      message: say('relay.crashed'),
      hint: say('relay.restartsItself'),
    });
    const ms = backoffMs(restartPolicy, crashes, ports.random.fraction());
    crashes += 1;
    restart = ports.clock.after(ms, () => {
      // A restart after a crash must keep the port, because agents and operator know the address.
      startOnce(crypto, false)
        .then((again) => (again.ok ? problems.clear('relay') : crashed(crypto, again.error.message)))
        .catch((error: unknown) => crashed(crypto, String(error)));
    });
  };

  const stop = async (): Promise<void> => {
    await starting.running?.catch(() => undefined);
    restart?.cancel();
    const leaving = running;
    running = null;
    await leaving?.stop();
  };

  return {
    start: async (crypto) => (running ? ok(running) : startOnce(crypto, true)),
    current: () => running,
    exists: () => record.read() !== null,
    isOurs: record.isOurs,
    stop,
    async erase() {
      await stop();
      record.forget();
      return disk.remove(layout.relay);
    },
  };
}

/**
 * Runs in a worker thread, except with a virtual clock. Loaded on demand, because most hosts need no relay.
 */
async function launch(
  ports: RelayPorts,
  file: string,
  crypto: CryptoEngine,
  port: number,
  onCrash: (message: string) => void,
): Promise<Result<HostedRelay>> {
  const log = ports.log.child({ part: 'relay' });
  const { clock, random } = ports;
  if (ports.relayThread) {
    const { startRelayThread } = await import('./relay-thread-client.ts');
    return startRelayThread({ file, port, clock, log, onCrash });
  }
  const { openRelay } = await import('./open-relay.ts');
  return openRelay({ file, port, crypto, clock, random, log });
}

function createRelayRecord(disk: DiskPort, path: string) {
  const file = recordFile(disk, path, relayRecord);
  // Cached, because it is read for every agent and only this host writes it.
  let known: z.output<typeof relayRecord> | null | undefined;
  const read = () => {
    if (known !== undefined) return known;
    const found = file.read();
    known = found.ok ? found.value : null;
    return known;
  };
  return {
    read,
    write(port: number): Result<void> {
      const before = read();
      const former = before && before.port !== port ? [`http://127.0.0.1:${before.port}`] : [];
      const formerUrls = [...new Set([...(before?.formerUrls ?? []), ...former])].slice(-50);
      known = undefined;
      return file.write({ port, formerUrls });
    },
    forget(): void {
      known = undefined;
    },
    isOurs(serverUrl: string): boolean {
      const own = read();
      if (!own) return false;
      return [`http://127.0.0.1:${own.port}`, ...own.formerUrls].includes(withoutEndSlashes(serverUrl));
    },
  };
}

export const noEmbeddedRelay = fail(
  'unavailable',
  'server.noEmbeddedRelay',
  {},
  { help: 'server.askForInvite' },
);

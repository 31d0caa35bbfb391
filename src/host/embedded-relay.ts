import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { appError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { StoreError } from '../core/lib/store-error.ts';
import type { CryptoEngine, DiskPort } from '../core/ports.ts';
import type { Relay } from '../relay/relay.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { recordFile } from './record-file.ts';

const relayRecord = z.object({
  port: z.number().int().min(1).max(65_535),
  /** Addresses it had before: agent configs that still name one are brought up to date. */
  formerUrls: z.array(z.string()).max(50),
});

/** The relay inside this host. It keeps its port over restarts; when that is taken it gets another. */
export interface EmbeddedRelay {
  /** Idempotent. */
  start(crypto: CryptoEngine): Promise<Result<Relay>>;
  /** The relay as it runs now, if it does. */
  current(): Relay | null;
  /** True when this folder has one, running or not. */
  exists(): boolean;
  /** Whether a server address is, or once was, this relay's. */
  isOurs(serverUrl: string): boolean;
  stop(): Promise<void>;
  /** Deletes its data; stopped first. */
  erase(): Promise<Result<void>>;
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');

export function createEmbeddedRelay(ports: HostPorts, layout: Layout, disk: DiskPort): EmbeddedRelay {
  const record = recordFile(disk, layout.relayFile, relayRecord);
  let running: Relay | null = null;
  let starting: Promise<Result<Relay>> | null = null;

  // Asked for every agent of the folder, so it is read once; only this host writes it.
  let known: z.output<typeof relayRecord> | null | undefined;
  const remembered = () => {
    if (known !== undefined) return known;
    const read = record.read();
    known = read.ok ? read.value : null;
    return known;
  };

  const open = async (crypto: CryptoEngine, port: number): Promise<Result<Relay>> => {
    // Loaded here: most starts of a host need no server.
    const [{ createRelay }, { openRelayStore }] = await Promise.all([
      import('../relay/relay.ts'),
      import('../services/db/relay-store.ts'),
    ]);
    const { clock, random } = ports;
    try {
      mkdirSync(layout.relay, { recursive: true, mode: 0o700 });
      const store = openRelayStore(layout.relayStore);
      const log = ports.log.child({ part: 'relay' });
      const listen = { host: '127.0.0.1', port };
      return await createRelay({ store, crypto, clock, random, log, listen, hosts: 'loopback' });
    } catch (error) {
      if (error instanceof StoreError) return err(error.toAppError());
      throw error;
    }
  };

  const launch = async (crypto: CryptoEngine): Promise<Result<Relay>> => {
    const before = remembered();
    let relay = await open(crypto, before?.port ?? 0);
    if (!relay.ok && before) relay = await open(crypto, 0);
    if (!relay.ok) return relay;
    const { port, url } = relay.value;
    const former = before && before.port !== port ? [`http://127.0.0.1:${before.port}`] : [];
    const formerUrls = [...new Set([...(before?.formerUrls ?? []), ...former])].slice(-50);
    known = undefined;
    const saved = record.write({ port, formerUrls });
    if (!saved.ok) {
      await relay.value.stop();
      return saved;
    }
    ports.log.info('relay_started', { url });
    running = relay.value;
    return ok(relay.value);
  };

  const stop = async (): Promise<void> => {
    const leaving = running;
    running = null;
    await leaving?.stop();
  };

  return {
    async start(crypto) {
      if (running) return ok(running);
      starting ??= launch(crypto).finally(() => {
        starting = null;
      });
      return starting;
    },
    current: () => running,
    exists: () => remembered() !== null,
    isOurs(serverUrl) {
      const own = remembered();
      if (!own) return false;
      return [`http://127.0.0.1:${own.port}`, ...own.formerUrls].includes(trimmed(serverUrl));
    },
    stop,
    async erase() {
      await stop();
      known = undefined;
      return disk.remove(layout.relay);
    },
  };
}

export const noEmbeddedRelay = appError('unavailable', 'This host runs no relay of its own.', {
  hint: 'Ask whoever runs your server for an invite, or start one with "kennel relay".',
});

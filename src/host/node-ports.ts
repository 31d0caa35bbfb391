import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../core/ports.ts';
import { createSystemClock } from '../services/clock/system-clock.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';
import { sqliteCapabilities } from '../services/db/binding.ts';
import { packageRoot, shippedFolder } from '../services/disk/package-root.ts';
import { createJsonLog, type LogLevel } from '../services/log/json-log.ts';
import { createLogSource, type LogSource } from '../services/log/log-source.ts';
import { openRotatingFile } from '../services/log/rotating-file.ts';
import { createScrubber, type Scrubber } from '../services/log/scrub.ts';
import type { HostPorts } from './host-ports.ts';
import { layoutOf } from './layout.ts';

export interface NodePortsOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mode: HostPorts['mode'];
  /** Serves the page on loopback if it is built. */
  readonly serveWeb: boolean;
  readonly relaunch?: HostPorts['relaunch'];
}

function readVersion(root: string): string {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return typeof parsed === 'object' && parsed && 'version' in parsed ? String(parsed.version) : 'unknown';
  } catch {
    return 'unknown';
  }
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Rotated log files besides the current one. */
const keptLogs = 4;

function openLog(
  home: string,
  env: NodePortsOptions['env'],
  scrubber: Scrubber,
): { log: Log; logs: LogSource } {
  const layout = layoutOf(home);
  try {
    mkdirSync(layout.logs, { recursive: true, mode: 0o700 });
  } catch {
    // The host reports an unwritable folder; logging must not stop it.
  }
  const level = levels.find((name) => name === env.KENNEL_LOG) ?? 'info';
  const file = openRotatingFile({ path: layout.log, maxBytes: 5 * 1024 * 1024, keep: keptLogs });
  const logs = createLogSource({ path: layout.log, keep: keptLogs });
  const log = createJsonLog({ level, scrubber, write: (line) => logs.push(line, file.write(line)) });
  return { log, logs };
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

export async function nodePorts(options: NodePortsOptions): Promise<HostPorts> {
  const root = packageRoot(import.meta.dirname);
  const page = join(root, 'dist', 'renderer');
  const scrubber = createScrubber();
  const random = createSystemRandom();
  const opened = options.mode === 'full' ? openLog(options.home, options.env, scrubber) : null;
  const log = opened?.log ?? silent;
  return {
    home: options.home,
    version: readVersion(root),
    env: options.env,
    clock: createSystemClock(),
    random,
    log,
    ...(opened ? { logs: opened.logs } : {}),
    addSecret: scrubber.addSecret,
    scrub: scrubber.scrub,
    async loadCrypto() {
      const { selectCryptoEngine } = await import('../services/crypto/select-engine.ts');
      const selected = await selectCryptoEngine();
      if (!selected.ok) return selected;
      void selected.value.agreed.then(({ chosen, engines }) => {
        const unfit = engines.filter((engine) => engine.fault !== null);
        if (unfit.length > 0) log.warn('crypto_engines_unfit', { chosen, unfit });
        else log.debug('crypto_engines_agree', { chosen });
      });
      return { ok: true, value: selected.value.engine };
    },
    async loadKeychain() {
      if (options.env.KENNEL_NO_KEYCHAIN) return null;
      const { createSystemKeychain } = await import('../services/vault/system-keychain.ts');
      return createSystemKeychain();
    },
    storesEncrypted: sqliteCapabilities.encryption,
    examplesDir: shippedFolder(import.meta.dirname),
    rendererDir: options.serveWeb && existsSync(join(page, 'index.html')) ? page : null,
    mode: options.mode,
    relaunch: options.relaunch ?? null,
    relayThread: true,
    // Accessed inside the function, because a mere reference to the global loads its implementation.
    fetch: (input, init) => globalThis.fetch(input, init),
  };
}

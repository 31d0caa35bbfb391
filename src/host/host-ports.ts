import type { HostApi } from '../contract/host-api.ts';
import type { Result } from '../contract/result.ts';
import type { Clock, CryptoEngine, KeychainPort, Log, Random } from '../core/ports.ts';
import type { LogSource } from '../services/log/log-source.ts';

/** Everything that a host needs from its machine; `nodePorts` builds the real one. */
export interface HostPorts {
  readonly home: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Recent lines of `log`; absent if nothing is written. */
  readonly logs?: LogSource;
  /** Registers a text for redaction in the log. */
  readonly addSecret: (secret: string) => void;
  /** The text without registered secrets, and without what looks like a key. */
  readonly scrub: (text: string) => string;
  /** Loaded and self-tested on first use. */
  readonly loadCrypto: () => Promise<Result<CryptoEngine>>;
  /** `null` if no keychain is available or allowed. */
  readonly loadKeychain: () => Promise<KeychainPort | null>;
  /** False only in the test runtime, whose database cannot encrypt; the user must be told. */
  readonly storesEncrypted: boolean;
  /** Folder of the workflows that Kennel ships; absent if none exist. */
  readonly examplesDir?: string;
  /** Folder of the built page, or `null` if it is not served on loopback. */
  readonly rendererDir: string | null;
  /**
   * `full`: agents run, sockets listen. `files`: for one command; locks the folder and changes only files.
   * `look`: for one command that only reads; neither locks nor creates the folder.
   */
  readonly mode: 'full' | 'files' | 'look';
  /** Command to restart this host after a hang, or `null` if its parent process does that. */
  readonly relaunch: { readonly command: string; readonly args: readonly string[] } | null;
  /** Agents stay stopped until the next start, because one may have crashed the last one. */
  readonly holdAgents?: boolean;
  /** Whether the embedded relay runs in a worker thread with its own clock. */
  readonly relayThread: boolean;
  readonly fetch: typeof fetch;
}

export interface Host extends HostApi {
  /** Resolves when every configured part has started or failed. */
  readonly ready: Promise<void>;
  readonly home: string;
  /** A one-time link to the page, or `null` if it is not served. */
  webLink(): string | null;
  /**
   * Graceful: steps of workflows and tasks have 10 s to finish, everything else another 10 s. A second call
   * waits for no step.
   */
  stop(reason: string): Promise<void>;
  readonly stopped: Promise<string>;
}

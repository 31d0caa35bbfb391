import type { HostApi } from '../contract/host-api.ts';
import type { Result } from '../contract/result.ts';
import type { Clock, CryptoEngine, KeychainPort, Log, Random } from '../core/ports.ts';
import type { LogSource } from '../services/log/log-source.ts';

/** All that a host needs from the machine it runs on; `nodePorts` builds the real ones. */
export interface HostPorts {
  readonly home: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What `log` wrote, for looking at; absent: it is written nowhere. */
  readonly logs?: LogSource;
  /** From now on this text never appears in the log. */
  readonly addSecret: (secret: string) => void;
  /** Loaded and self-tested at first use. */
  readonly loadCrypto: () => Promise<Result<CryptoEngine>>;
  /** Null where the machine has none, or none may be used. */
  readonly loadKeychain: () => Promise<KeychainPort | null>;
  /** False in the test runtime alone, whose database is a stand-in that cannot encrypt: a person has to be told. */
  readonly storesEncrypted: boolean;
  /** Folder of the workflows that come with Kennel; absent: none do. */
  readonly examplesDir?: string;
  /** Folder of the built page; null: it is not served on loopback. */
  readonly rendererDir: string | null;
  /**
   * `full`: agents run, sockets listen. `files`: for one command; holds the folder, touches nothing but files.
   * `look`: for one command that only reads; neither holds nor makes the folder.
   */
  readonly mode: 'full' | 'files' | 'look';
  /** How this host is started again after it hung; null: by whoever started it. */
  readonly relaunch: { readonly command: string; readonly args: readonly string[] } | null;
  /** Agents wait until the next start: something about them may be what brought the last one down. */
  readonly holdAgents?: boolean;
  /** Whether the embedded relay runs in a thread of its own, by that thread's clock, or in this one. */
  readonly relayThread: boolean;
  readonly fetch: typeof fetch;
}

export interface Host extends HostApi {
  /** Resolves when everything that was configured has been started, or has said why not. */
  readonly ready: Promise<void>;
  readonly home: string;
  /** A one-time link to the page, where it is served. */
  webLink(): string | null;
  /**
   * Graceful: steps of workflows and tasks have 10 s to come to their end, everything else another 10 s. Asked a second time, it
   * waits for no step any more.
   */
  stop(reason: string): Promise<void>;
  /** Resolves when the host has stopped, whoever asked for it. */
  readonly stopped: Promise<string>;
}

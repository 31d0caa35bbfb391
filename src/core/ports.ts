/**
 * Ports of the machine: clock, chance, log, cryptography, secrets, files. The ports of one area are beside
 * their owner in `src/core/<area>`. Adapters are in `src/services/<family>`, fakes in `test/fakes`.
 * Synchronous stores return plain values and throw only `StoreError`s, which the caller's boundary turns into
 * a `Result`; asynchronous ports return `Result`s or end their event stream with a failure event.
 */

import type { Result } from '../contract/result.ts';

// --- time, chance, log -------------------------------------------------------------------------------------------

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock, ms since the epoch; may jump. */
  now(): number;
  /** Monotonic ms; for delays, deadlines, budgets. */
  monotonic(): number;
  /** `unref`: does not keep the process alive. */
  after(ms: number, run: () => void, options?: { readonly unref?: boolean }): Timer;
}

export interface Random {
  bytes(length: number): Uint8Array;
  /** Lower-case UUID v4. */
  uuid(): string;
  /** [0, 1): jitter only, never secrets. */
  fraction(): number;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
}

// --- cryptography ------------------------------------------------------------------------------------------------

export interface KeyPair {
  readonly secret: Uint8Array;
  readonly public: Uint8Array;
}

/**
 * Processes one ChaCha20-Poly1305 message in chunks; `finish` returns the 16-byte tag, or for opening whether
 * it is valid. The next call may overwrite the result of `update`: use or copy it first.
 */
export interface AeadSealStream {
  update(piece: Uint8Array): Uint8Array;
  finish(): Uint8Array;
}
export interface AeadOpenStream {
  update(piece: Uint8Array): Uint8Array;
  /** False: discard everything that `update` returned. */
  finish(tag: Uint8Array): boolean;
}

/**
 * Primitives of the protocol (spec §1.1). A start-up self-test, in which all present engines must agree,
 * chooses one engine. Wrong lengths are bugs and throw; failed checks are return values.
 */
export interface CryptoEngine {
  readonly name: string;
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** `secret` is the 32-byte seed (RFC 8032). */
  ed25519KeyPair(seed?: Uint8Array): KeyPair;
  ed25519Sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
  /**
   * Strict: false for non-canonical points and scalars and for small-order keys, never an exception (T30).
   */
  ed25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  x25519KeyPair(secret?: Uint8Array): KeyPair;
  /** `null` for low-order points, i.e. an all-zero shared secret (RFC 7748 §6.1). */
  x25519(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | null;
  /** Returns ciphertext ‖ tag. */
  aeadSeal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array;
  /** `null` if the tag is invalid. */
  aeadOpen(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array | null;
  aeadSealStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadSealStream;
  aeadOpenStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadOpenStream;
}

// --- secrets -----------------------------------------------------------------------------------------------------

export interface KeychainPort {
  /** Name of the back end as stored beside wrapped keys, e.g. `secret-service`, `macos`, `windows`. */
  readonly backend: string;
  get(account: string): Promise<Result<Uint8Array | null>>;
  set(account: string, value: Uint8Array): Promise<Result<void>>;
  delete(account: string): Promise<Result<void>>;
}

export type VaultKind = 'keychain' | 'passphrase' | 'demo-file';

/**
 * Encrypts secrets with the master key; the label is authenticated, so a wrapped value cannot be used
 * elsewhere.
 */
export interface SecretBox {
  readonly kind: VaultKind;
  readonly backend: string;
  wrap(label: string, secret: Uint8Array): string;
  /** `corrupt` if it was not wrapped by this key under this label. */
  unwrap(label: string, wrapped: string): Result<Uint8Array>;
}

// --- files of the data folder ------------------------------------------------------------------------------------

/**
 * Small files that people or other programs may also edit. Synchronous, because none exceeds a few hundred
 * KiB.
 */
export interface DiskPort {
  /** `null` if the file does not exist; `too_large` above `maxBytes`; `corrupt` if it is not UTF-8. */
  readText(path: string, maxBytes: number): Result<string | null>;
  /**
   * Atomic: the old content or the new, never a mixture, and durable when it returns. `fleeting` content can
   * be regenerated, so it may be lost in a power cut and skips the disk sync. Modes 0700 and 0600.
   */
  write(path: string, content: string, keep?: 'durable' | 'fleeting'): Result<void>;
  /** Removes a file, or a folder with its contents; ignores missing ones. */
  remove(path: string): Result<void>;
  /** `conflict` if `to` exists. */
  move(from: string, to: string): Result<void>;
  /** Names of sub-folders, sorted; empty if the folder does not exist. */
  folders(path: string): Result<readonly string[]>;
  /** Names of plain files, sorted; empty if the folder does not exist. */
  files(path: string): Result<readonly string[]>;
  /** Renames a damaged file to a dated name beside it, and returns that name; nothing is deleted. */
  quarantine(path: string, now: number): Result<string>;
}

/**
 * Verified identities by slug: built from the registry's certificates, pinned to the root key seen first,
 * cached in memory, and synced again only if newer data is required (T7).
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { isRecord } from '../../contract/is-record.ts';
import type { KeyTrust } from '../../contract/model.ts';
import { err, type Result } from '../../contract/result.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { Clock, CryptoEngine, Log } from '../../core/ports.ts';
import { verifyIdentityCert } from '../../core/puffo/certificates.ts';
import { foldRegistry, type VerifiedIdentity } from '../../core/puffo/registry.ts';
import type { RegistryStore } from '../../core/puffo/registry-store.ts';
import type { Distrust, DistrustKind, SenderIdentities } from '../../core/puffo/sender-identities.ts';
import { certEntrySchema } from '../../core/puffo/wire.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { syncCertificates } from './cert-sync.ts';
import { createCoalescer } from './coalesce.ts';
import { noAnswer, plainError, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

export interface ChangedRoot {
  readonly slug: string;
  readonly pinnedRoot: string;
  readonly offeredRoot: string;
}

export interface Identities extends SenderIdentities {
  /** Reads only from memory. */
  remembered(slug: string): VerifiedIdentity | null;
  /** A registry change was announced; the announcement itself is not trusted. */
  announced(entry: unknown): void;
  /**
   * Called after a disconnect, which may have lost announcements: cached identities must be synced again
   * before sending.
   */
  missedNews(): void;
  /** Identities whose offered root key differs from the pinned one. Keys are base64url. */
  changed(): readonly ChangedRoot[];
  /** Accepts a changed key on a person's confirmation; returns false if it is not the offered one. */
  acceptRoot(change: ChangedRoot): boolean;
  /** By slug. */
  trust(): Readonly<Record<string, KeyTrust>>;
  /** Called after each change that `trust` may show; replaces an earlier listener. */
  watchTrust(listener: () => void): void;
  /** ms of the verification of the known key, or `null` if it is not verified. */
  verifiedAt(slug: string): number | null;
  /** Returns false if this is not the known key, or if the server offers another one. */
  markVerified(slug: string, rootPublicKey: string): boolean;
  unmarkVerified(slug: string): void;
  /**
   * Pins the root key of a slug whatever the server claims, e.g. for an own identity. Returns false if
   * another is pinned already.
   */
  pin(slug: string, rootPublicKey: string): boolean;
}

export interface IdentitiesDeps {
  readonly store: RegistryStore;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly log: Log;
  /** Any account that can query the server, or `null` if none is available. */
  client(): SignedClient | null;
}

interface Known {
  readonly result: Result<VerifiedIdentity, Distrust>;
  /** Monotonic ms; -Infinity if it came from the store alone. */
  readonly syncedAt: number;
}

const maxRemembered = 5_000;
/** ms after which a negative verdict is checked again. */
const doubtMs = 5_000;

const distrust = (
  kind: DistrustKind,
  code: AppError['code'],
  message: HostMessage,
): Result<never, Distrust> => err({ kind, error: appError(code, message) });

const damaged = distrust('unavailable', 'unavailable', say('server.knownKeysDamaged'));

const isOf = (cert: unknown, roots: readonly string[]): boolean =>
  roots.length > 0 && isRecord(cert) && roots.some((root) => cert.root_public_key === root);

/** Only valid certificates; the last one listed for a slug counts. */
function changedRoots(store: RegistryStore, crypto: CryptoEngine): readonly ChangedRoot[] {
  const found = new Map<string, ChangedRoot>();
  for (const { slug, pinnedRoot, cert } of store.rivals()) {
    if (isOf(cert, store.retiredRoots(slug))) continue;
    const held = verifyIdentityCert(crypto, cert);
    if (held.ok) found.set(slug, { slug, pinnedRoot, offeredRoot: held.value.root_public_key });
  }
  return [...found.values()];
}

function repin({ store, crypto, clock }: IdentitiesDeps, change: ChangedRoot): boolean {
  const { slug, pinnedRoot, offeredRoot } = change;
  const offered = changedRoots(store, crypto).some(
    (one) => one.slug === slug && one.pinnedRoot === pinnedRoot && one.offeredRoot === offeredRoot,
  );
  return offered && store.repin(slug, pinnedRoot, offeredRoot, clock.now());
}

function readTrust(store: RegistryStore, crypto: CryptoEngine): Readonly<Record<string, KeyTrust>> {
  const trust = new Map<string, KeyTrust>();
  for (const [slug, { root }] of store.verifiedRoots())
    trust.set(slug, store.pinnedRoot(slug) === root ? 'verified' : 'lost');
  for (const { slug } of changedRoots(store, crypto)) trust.set(slug, 'changed');
  return Object.fromEntries(trust);
}

type Marks = Pick<Identities, 'trust' | 'watchTrust' | 'verifiedAt' | 'markVerified' | 'unmarkVerified'>;

/** Verifications by the operator. `trust` is read again only after `outdated`. */
function createMarks({ store, crypto, clock }: IdentitiesDeps): Marks & { outdated(): void } {
  let cached: Readonly<Record<string, KeyTrust>> | null = null;
  let changed = (): void => undefined;
  const outdated = (): void => {
    cached = null;
    changed();
  };
  const trust = (): Readonly<Record<string, KeyTrust>> => {
    cached ??= readTrust(store, crypto);
    return cached;
  };
  const mark = (slug: string, root: string | null): void => {
    store.markVerified(slug, root === null ? null : { root, at: clock.now() });
    outdated();
  };
  return {
    outdated,
    trust,
    watchTrust(listener) {
      changed = listener;
    },
    verifiedAt: (slug) =>
      trust()[slug] === 'verified' ? (store.verifiedRoots().get(slug)?.at ?? null) : null,
    markVerified(slug, root) {
      if (store.pinnedRoot(slug) !== root || trust()[slug] === 'changed') return false;
      mark(slug, root);
      return true;
    },
    unmarkVerified: (slug) => mark(slug, null),
  };
}

const noClient: Result<void, RequestError> = err(noAnswer('unavailable', say('server.noAccountConnected')));

/** A failing disk is no verdict on an identity. */
const notYet = async (
  ask: () => Promise<Result<VerifiedIdentity, Distrust>>,
): Promise<Result<VerifiedIdentity, Distrust>> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return err({ kind: 'unavailable', error: error.toAppError() });
  }
};

/**
 * Pins the root that is seen first. `null` if the store lost rows since `losses` was read: the remaining rows
 * prove nothing.
 */
function foldPinned(
  { store, crypto, clock }: IdentitiesDeps,
  slug: string,
  losses: number,
): Result<VerifiedIdentity, Distrust> | null {
  const retired = store.retiredRoots(slug);
  const entries = store.entries(slug).filter(({ cert }) => !isOf(cert, retired));
  const pinnedRoot = store.pinnedRoot(slug);
  if (store.losses() !== losses) return null;
  if (entries.length === 0)
    return distrust('unknown', 'not_found', say('server.unknownPerson', { name: slug }));
  const folded = foldRegistry(crypto, slug, entries, { pinnedRoot });
  const changed = say('server.identityKeyMismatch', { slug });
  if (!folded.ok) {
    if (folded.error.where === 'root_changed') return distrust('root_changed', 'untrusted', changed);
    return err({ kind: 'unverifiable', error: folded.error });
  }
  if (pinnedRoot === null && !store.pinRoot(slug, folded.value.rootPublicKey, clock.now())) {
    return distrust('root_changed', 'untrusted', changed);
  }
  return folded;
}

export function createIdentities(deps: IdentitiesDeps): Identities {
  const { store, crypto, clock } = deps;
  const marks = createMarks(deps);
  const known = new Map<string, Known>();
  /** Slugs with an announced change and no sync since. */
  const stale = new Set<string>();
  /** Monotonic ms; anything learnt earlier may be outdated. */
  let missedAt = Number.NEGATIVE_INFINITY;

  const remember = (slug: string, value: Known): Known => {
    if (!value.result.ok) marks.outdated();
    known.delete(slug);
    known.set(slug, value);
    if (known.size > maxRemembered)
      for (const oldest of [...known.keys()].slice(0, 500)) known.delete(oldest);
    return value;
  };

  const coalescer = createCoalescer(async (slugs) => {
    const client = deps.client();
    const synced = client === null ? noClient : await syncCertificates(client, store, slugs);
    if (!synced.ok) deps.log.debug('registry.sync_failed', { code: synced.error.code, slugs: slugs.length });
    return synced;
  });

  const syncOnce = async (slug: string): Promise<Result<VerifiedIdentity, Distrust> | null> => {
    const startedAt = clock.monotonic();
    const losses = store.losses();
    const synced = await coalescer.ask(slug);
    if (!synced.ok) return err({ kind: 'unavailable', error: plainError(synced.error) });
    const result = foldPinned(deps, slug, losses);
    if (result === null) return null;
    stale.delete(slug);
    return remember(slug, { result, syncedAt: startedAt }).result;
  };

  /**
   * Damage is found by reading. The server still has what the file lost, so the second attempt restores it
   * (F19).
   */
  const sync = async (slug: string): Promise<Result<VerifiedIdentity, Distrust>> =>
    (await syncOnce(slug)) ?? (await syncOnce(slug)) ?? damaged;

  const isFresh = ({ result, syncedAt }: Known, maxAgeMs: number): boolean => {
    if (maxAgeMs <= 0) return false;
    if (syncedAt < missedAt && maxAgeMs !== Number.POSITIVE_INFINITY) return false;
    const limit = result.ok ? maxAgeMs : Math.min(maxAgeMs, doubtMs);
    return clock.monotonic() - syncedAt <= limit;
  };

  const verified: Identities['verified'] = async (slug, maxAgeMs) => {
    if (stale.has(slug)) return sync(slug);
    const present = known.get(slug);
    if (present && isFresh(present, maxAgeMs)) return present.result;
    const losses = store.losses();
    if (!present && maxAgeMs === Number.POSITIVE_INFINITY && store.cursor(slug) > 0) {
      const folded = foldPinned(deps, slug, losses);
      if (folded?.ok) return remember(slug, { result: folded, syncedAt: Number.NEGATIVE_INFINITY }).result;
    }
    return sync(slug);
  };

  return {
    verified: (slug, maxAgeMs) => notYet(() => verified(slug, maxAgeMs)),
    remembered(slug) {
      const present = known.get(slug);
      return present?.result.ok ? present.result.value : null;
    },
    announced(entry) {
      const parsed = certEntrySchema.safeParse(entry);
      if (!parsed.success) return;
      const { slug, seq } = parsed.data;
      // If the cursor is unknown, query the server.
      const cursor = despiteStore(() => store.cursor(slug), 1);
      if (cursor > 0 && seq > cursor) stale.add(slug);
    },
    missedNews() {
      missedAt = clock.monotonic();
    },
    changed: () => changedRoots(store, crypto),
    acceptRoot(change) {
      const accepted = repin(deps, change);
      if (accepted) known.delete(change.slug);
      marks.outdated();
      return accepted;
    },
    trust: marks.trust,
    watchTrust: marks.watchTrust,
    verifiedAt: marks.verifiedAt,
    markVerified: marks.markVerified,
    unmarkVerified: marks.unmarkVerified,
    pin: (slug, root) => store.pinnedRoot(slug) === root || store.pinRoot(slug, root, clock.now()),
  };
}

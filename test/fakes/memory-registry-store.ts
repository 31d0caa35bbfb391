/** A `RegistryStore` in memory. */
import type {
  PersonProfile,
  RegistryEntry,
  RegistryStore,
  SealedChannels,
  VerifiedRoot,
} from '../../src/core/puffo/registry-store.ts';

export interface MemoryRegistryStore extends RegistryStore, SealedChannels {
  /** Simulates the recovery of a damaged file: drops the entries of `slug` and resets all cursors. */
  lose(slug: string): void;
}

export function createMemoryRegistryStore(): MemoryRegistryStore {
  let losses = 0;
  const entries = new Map<string, Map<number, RegistryEntry>>();
  const cursors = new Map<string, number>();
  const pins = new Map<string, string>();
  const retired = new Map<string, string[]>();
  const verified = new Map<string, VerifiedRoot>();
  const profiles = new Map<string, PersonProfile>();
  const sealed = new Set<string>();
  return {
    entries: (slug) => [...(entries.get(slug)?.values() ?? [])].sort((a, b) => a.seq - b.seq),
    cursor: (slug) => cursors.get(slug) ?? 0,
    losses: () => losses,
    lose(slug) {
      losses += 1;
      entries.delete(slug);
      cursors.clear();
    },
    append(slug, added, cursor, since = 0) {
      if ((cursors.get(slug) ?? 0) < since) return false;
      const own = entries.get(slug) ?? new Map<number, RegistryEntry>();
      entries.set(slug, own);
      for (const entry of added) if (!own.has(entry.seq)) own.set(entry.seq, entry);
      cursors.set(slug, Math.max(cursors.get(slug) ?? 0, cursor));
      return true;
    },
    pinnedRoot: (slug) => pins.get(slug) ?? null,
    pinRoot(slug, root) {
      const pinned = pins.get(slug);
      if (pinned !== undefined) return pinned === root;
      pins.set(slug, root);
      return true;
    },
    rivals: () =>
      [...pins].flatMap(([slug, pinnedRoot]) =>
        [...(entries.get(slug)?.values() ?? [])]
          .filter(({ kind, cert }) => kind === 'identity_cert' && !JSON.stringify(cert).includes(pinnedRoot))
          .map(({ cert }) => ({ slug, pinnedRoot, cert })),
      ),
    repin(slug, from, to) {
      if (pins.get(slug) !== from) return false;
      pins.set(slug, to);
      retired.set(slug, [...(retired.get(slug) ?? []), from]);
      return true;
    },
    retiredRoots: (slug) => retired.get(slug) ?? [],
    verifiedRoots: () => verified,
    markVerified(slug, mark) {
      if (mark === null) verified.delete(slug);
      else verified.set(slug, mark);
    },
    profile: (slug) => profiles.get(slug) ?? null,
    saveProfiles(saved) {
      for (const profile of saved) profiles.set(profile.slug, profile);
    },
    sealedChannels: () => [...sealed].sort(),
    keepSealed(channelIds) {
      for (const channelId of channelIds) sealed.add(channelId);
    },
  };
}

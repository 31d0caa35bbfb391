/**
 * Names and avatars of identities: fetched in batches, stored in the registry store, never blocking anything
 * else. A verified certificate, not the server, decides if an identity is an agent (T27).
 */

import { z } from 'zod';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { PersonProfile, RegistryStore } from '../../core/puffo/registry-store.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import { slugLists, slugQuery } from './cert-sync.ts';
import { createCoalescer } from './coalesce.ts';
import type { SignedClient } from './signed-client.ts';

export interface Profiles {
  /** Returns at once: the stored profile, or the bare slug. */
  known(slug: string): PersonProfile;
  /** Queries the server if no fresh profile is known; falls back to `known`. Never fails. */
  person(slug: string): Promise<PersonProfile>;
  /** Called if the profile of this slug may have changed. */
  forget(slug: string): void;
}

const text = (max: number) =>
  z
    .string()
    .nullish()
    .transform((value) => (value ?? '').slice(0, max));

const profileSchema = z.looseObject({
  slug: slugSchema,
  username: text(200),
  display_name: text(200),
  avatar_url: text(2_000),
  role: text(1_000),
  role_short: text(200),
  identity_type: z.string().nullish(),
});
const answerSchema = z.looseObject({ profiles: z.array(z.unknown()).max(10_000) });

const freshForMs = 10 * 60_000;
const maxRemembered = 20_000;

function toProfile(raw: unknown): readonly PersonProfile[] {
  const parsed = profileSchema.safeParse(raw);
  if (!parsed.success) return [];
  const { slug, username, display_name, avatar_url, role, role_short, identity_type } = parsed.data;
  return [
    {
      slug,
      displayName: display_name || username || slug,
      avatarUrl: avatar_url,
      role,
      roleShort: role_short,
      agent: identity_type === 'agent',
    },
  ];
}

export function createProfiles(deps: {
  readonly store: RegistryStore;
  readonly clock: Clock;
  client(): SignedClient | null;
  /** The type in the verified identity certificate, or `null` if none is available. */
  verifiedType(slug: string): 'human' | 'agent' | null;
}): Profiles {
  const { store, clock } = deps;
  const askedAt = new Map<string, number>();

  const fetchProfiles = createCoalescer(async (slugs) => {
    for (const list of slugLists(slugs)) {
      const client = deps.client();
      if (client === null) return;
      const answer = await client.json('GET', `/identities/profiles?slugs=${slugQuery(list)}`, answerSchema, {
        deadlineMs: 5_000,
      });
      if (!answer.ok) return;
      const wanted = new Set(list);
      const people = answer.value.profiles.flatMap(toProfile).filter(({ slug }) => wanted.has(slug));
      despiteStore(() => store.saveProfiles(people), undefined);
      if (askedAt.size > maxRemembered) askedAt.clear();
      for (const slug of list) askedAt.set(slug, clock.monotonic());
    }
  });

  const stored = (slug: string): PersonProfile | null => despiteStore(() => store.profile(slug), null);
  const certified = (profile: PersonProfile): PersonProfile => {
    const type = deps.verifiedType(profile.slug);
    return type === null ? profile : { ...profile, agent: type === 'agent' };
  };
  const bare = (slug: string): PersonProfile => ({
    slug,
    displayName: slug,
    avatarUrl: '',
    role: '',
    roleShort: '',
    agent: false,
  });

  return {
    known: (slug) => certified(stored(slug) ?? bare(slug)),
    async person(slug) {
      const at = askedAt.get(slug);
      const fresh = at !== undefined && clock.monotonic() - at < freshForMs;
      const profile = stored(slug);
      if (fresh) return certified(profile ?? bare(slug));
      const asking = fetchProfiles.ask(slug);
      if (profile !== null) return certified(profile);
      await asking;
      return certified(stored(slug) ?? bare(slug));
    },
    forget(slug) {
      askedAt.delete(slug);
    },
  };
}

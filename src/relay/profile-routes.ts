/** Names, roles and avatars: readable by every registered identity, changed only by their owner. */

import { z } from 'zod';
import { ok } from '../contract/result.ts';
import { deriveRoleShort } from '../core/puffo/role.ts';
import { say } from '../language/say.ts';
import {
  answer,
  type Caller,
  type RelayContext,
  type RelayRequest,
  type RouteOutcome,
  slugList,
} from './context.ts';
import {
  avatarUrlSchema,
  bioSchema,
  displayNameSchema,
  roleSchema,
  roleShortSchema,
} from './profile-fields.ts';
import { refuseRequest } from './refusal.ts';

export function readProfiles(context: RelayContext, request: RelayRequest): RouteOutcome {
  return answer({
    profiles: context.store.people.identities(slugList(request.query)).map((identity) => ({
      slug: identity.slug,
      username: identity.username,
      display_name: identity.displayName,
      avatar_url: identity.avatarUrl,
      bio: identity.bio,
      role: identity.role,
      role_short: identity.roleShort,
      profile_updated_at: identity.profileUpdatedAt,
      owner_slug: identity.operatorSlug,
      identity_type: identity.identityType,
    })),
  });
}

const patchSchema = z.object({
  /** Empty means unchanged: clients from 1.0 send all their fields at each start. */
  display_name: displayNameSchema.optional(),
  avatar_url: avatarUrlSchema.optional(),
  bio: bioSchema.optional(),
  role: roleSchema.optional(),
  role_short: z.string().max(500).optional(),
});

export async function changeProfile(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(patchSchema);
  if (!body.ok) return body;
  const patch = body.value;
  if (patch.role_short !== undefined) {
    const short = roleShortSchema.safeParse(patch.role_short);
    if (patch.role === undefined || !short.success) {
      return refuseRequest('INVALID_ROLE_SHORT', say('relay.roleTooLong'));
    }
  }
  const { people } = context.store;
  const now = context.clock.now();
  const saved = await context.queue.run(() => {
    const before = people.identity(caller.slug);
    if (!before) return refuseRequest('NOT_FOUND', say('relay.identityNotRegistered'));
    people.saveProfile(
      caller.slug,
      {
        displayName: patch.display_name || before.displayName,
        avatarUrl: patch.avatar_url ?? before.avatarUrl,
        bio: patch.bio ?? before.bio,
        role: patch.role ?? before.role,
        // Clients from 1.1 derive it themselves; others may omit it.
        roleShort:
          patch.role === undefined ? before.roleShort : patch.role_short || deriveRoleShort(patch.role),
      },
      now,
    );
    return ok(null);
  });
  return saved.ok ? answer({ ok: true, profile_updated_at: now }) : saved;
}

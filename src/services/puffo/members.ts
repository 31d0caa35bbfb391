/**
 * Channel member lists, shared by all accounts of one server: each is fetched once and expires by age or by
 * an announcement. Names and roles are for display; trust is decided by certificates.
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

export interface ChannelMember {
  readonly slug: string;
  readonly role: string;
}

export interface Members {
  /** `maxAgeMs` is the maximum age of the list; 0 queries the server. */
  of(
    client: SignedClient,
    spaceId: string,
    channelId: string,
    maxAgeMs: number,
  ): Promise<Result<readonly ChannelMember[], RequestError>>;
  /** The last known list, or empty if none. */
  remembered(channelId: string): readonly ChannelMember[];
  changed(spaceId: string | null): void;
}

const memberSchema = z.looseObject({ slug: slugSchema, role: z.string().max(40).nullish() });
const answerSchema = z.looseObject({ members: validItems(memberSchema) });

interface Known {
  readonly spaceId: string;
  readonly members: readonly ChannelMember[];
  /** Monotonic ms; `longAgo` if a change was announced since. */
  readonly at: number;
}

const longAgo = Number.NEGATIVE_INFINITY;

export function createMembers(clock: Clock): Members {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<Result<readonly ChannelMember[], RequestError>>>();
  /** Counts the server's announcements, so that a response from before one does not count as fresh. */
  let changes = 0;

  const ask = async (client: SignedClient, spaceId: string, channelId: string) => {
    const at = clock.monotonic();
    const changesBefore = changes;
    const target = `/spaces/${encodeURIComponent(spaceId)}/channels/${encodeURIComponent(channelId)}/members`;
    const answer = await client.json('GET', target, answerSchema);
    if (!answer.ok) return answer;
    const members = answer.value.members.map(({ slug, role }) => ({ slug, role: role ?? 'member' }));
    known.set(channelId, { spaceId, members, at: changes === changesBefore ? at : longAgo });
    return ok(members);
  };

  return {
    of(client, spaceId, channelId, maxAgeMs) {
      const present = known.get(channelId);
      if (present && clock.monotonic() - present.at < maxAgeMs) {
        return Promise.resolve(ok(present.members));
      }
      const under = asking.get(channelId);
      if (under) return under;
      const answer = ask(client, spaceId, channelId).finally(() => {
        if (asking.get(channelId) === answer) asking.delete(channelId);
      });
      asking.set(channelId, answer);
      return answer;
    },
    remembered: (channelId) => known.get(channelId)?.members ?? [],
    changed(spaceId) {
      changes += 1;
      asking.clear();
      for (const [channelId, entry] of known) {
        if (spaceId === null || entry.spaceId === spaceId) known.set(channelId, { ...entry, at: longAgo });
      }
    },
  };
}

/**
 * Who belongs to a channel, shared by all accounts of one server: a list is asked for once and goes stale by age or by
 * the server's word. Names and roles are for people to see; whom to trust is decided by certificates.
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

export interface Member {
  readonly slug: string;
  readonly role: string;
}

export interface Members {
  /** `maxAgeMs`: how old the list may be; 0 asks the server. */
  of(
    client: SignedClient,
    spaceId: string,
    channelId: string,
    maxAgeMs: number,
  ): Promise<Result<readonly Member[], RequestError>>;
  /** Last known list, empty when there is none. */
  remembered(channelId: string): readonly Member[];
  changed(spaceId: string | null): void;
}

const memberSchema = z.looseObject({ slug: slugSchema, role: z.string().max(40).nullish() });
const answerSchema = z.looseObject({ members: validItems(memberSchema) });

interface Known {
  readonly spaceId: string;
  readonly members: readonly Member[];
  /** Monotonic; `longAgo` when something changed since. */
  readonly at: number;
}

const longAgo = Number.NEGATIVE_INFINITY;

export function createMembers(clock: Clock): Members {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<Result<readonly Member[], RequestError>>>();
  /** Counts the server's announcements, so that an answer from before one is not taken for fresh. */
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

/** Sends several invitations in sequence and reports each result. */

import { useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { localize, localizeError, localizeHint, t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Invited {
  readonly who: string;
  readonly words: string;
  /** `null` for a sent invitation. */
  readonly error: AppError | null;
}

/** Parses slugs with or without `@`, separated by whitespace, commas or semicolons, without duplicates. */
export const typedSlugs = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/u)
      .map((word) => word.replace(/^@/, ''))
      .filter((word) => word !== ''),
  ),
];

async function inviteOne(
  link: HostClient,
  place: { readonly space: string } | { readonly channel: string },
  who: string,
): Promise<Invited> {
  const sent = await link.call('invites.send', { ...place, who });
  if (sent.ok) return { who, words: localize(sent.value.note) || t('spaces.isInvited'), error: null };
  return {
    who,
    words: [localizeError(sent.error), localizeHint(sent.error)].join(' ').trim(),
    error: sent.error,
  };
}

export function useSendInvites(place: { readonly space: string } | { readonly channel: string }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<readonly Invited[]>([]);
  const send = async (all: readonly string[]): Promise<readonly Invited[]> => {
    setBusy(true);
    const results: Invited[] = [];
    for (const who of all) {
      results.push(await inviteOne(link, place, who));
      setDone([...results]);
    }
    setBusy(false);
    return results;
  };
  return { busy, done, send };
}

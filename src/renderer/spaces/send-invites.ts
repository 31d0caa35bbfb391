/** Sends several invitations in sequence and reports each result. */

import { useState } from 'react';
import type { HostClient } from '../../contract/host-api.ts';
import { localize, localizeError, localizeHint, t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Invited {
  readonly who: string;
  readonly ok: boolean;
  readonly words: string;
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
  if (sent.ok) return { who, ok: true, words: localize(sent.value.note) || t('spaces.isInvited') };
  return {
    who,
    ok: false,
    words: [localizeError(sent.error), localizeHint(sent.error)].join(' ').trim(),
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

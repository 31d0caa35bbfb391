import { fail } from '../../contract/fail.ts';
import type { Invite } from '../../services/puffo/account-types.ts';

export const inviteGone = fail('not_found', 'spaces.invitationClosed', {}, { help: 'spaces.runInvites' });

/** Finds an invitation by id or unique prefix. */
export function findInvite<T extends Invite>(all: readonly T[], wanted: string): T | null {
  const exact = all.find(({ eventId }) => eventId === wanted);
  if (exact) return exact;
  const begun = all.filter(({ eventId }) => eventId.startsWith(wanted));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

import { appError } from '../../contract/errors.ts';
import type { Invite } from '../../services/puffo/account-types.ts';

export const inviteGone = appError('not_found', 'This invitation is not open any more.', {
  hint: 'Run "kennel invites" for those that are.',
});

/** Finds an invitation by id or unique prefix. */
export function findInvite<T extends Invite>(all: readonly T[], wanted: string): T | null {
  const exact = all.find(({ eventId }) => eventId === wanted);
  if (exact) return exact;
  const begun = all.filter(({ eventId }) => eventId.startsWith(wanted));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

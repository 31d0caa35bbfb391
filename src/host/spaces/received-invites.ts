import type { InviteView } from '../../contract/space-methods.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import type { Operator } from '../identity/operator.ts';

/** Open invitations to the operator, as the server last listed them. */
export interface ReceivedInvites {
  heard(waiting: readonly Invite[]): void;
  all(): readonly Invite[];
  answered(eventId: string): void;
}

/** Invitations of a former operator of this folder are not shown. */
export function createReceivedInvites(
  operator: Pick<Operator, 'session'>,
  onChanged: () => void,
): ReceivedInvites {
  const owner = (): string | null => operator.session()?.self.slug ?? null;
  let receiver: string | null = null;
  let waiting: readonly Invite[] = [];
  /** Invitations answered here; a list already on its way may still contain them. */
  const answered = new Set<string>();
  const set = (next: readonly Invite[]): void => {
    receiver = owner();
    waiting = next.filter(({ eventId }) => !answered.has(eventId));
    onChanged();
  };
  return {
    heard: set,
    all: () => (receiver === owner() ? waiting : []),
    answered(eventId) {
      answered.add(eventId);
      set(waiting);
    },
  };
}

export function viewInvite(invite: Invite, nameOf: (slug: string) => string): InviteView {
  const { eventId, scope, spaceId, spaceName, channelId, channelName, inviterSlug } = invite;
  const inviterName = nameOf(inviterSlug);
  return { id: eventId, scope, spaceId, spaceName, channelId, channelName, inviterSlug, inviterName };
}

import { useState } from 'react';
import type { InviteView } from '../../contract/space-methods.ts';
import { Name } from '../parts/name.tsx';
import { act } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

const none: readonly InviteView[] = [];

export const useInvites = (): readonly InviteView[] => useRooms((view) => view?.invites ?? none);

/** Invitations to you that wait for an answer: who, where, and the two answers. */
export function InviteCards({ invites }: { invites: readonly InviteView[] }) {
  return (
    <ul className="invite-cards" aria-label="Invitations to you">
      {invites.map((invite) => (
        <InviteCard key={invite.id} invite={invite} />
      ))}
    </ul>
  );
}

function InviteCard({ invite }: { invite: InviteView }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const where = invite.scope === 'channel' ? `#${invite.channelName}` : invite.spaceName;
  const answer = async (accept: boolean): Promise<void> => {
    setBusy(true);
    const done = await act(link, 'invites.answer', { invite: invite.id, accept });
    setBusy(false);
    if (done) say(accept ? `You joined ${visibleLine(where)}.` : 'You declined. Nothing was joined.');
  };
  return (
    <li className="invite-card">
      <p>
        <strong>
          <Name>{invite.inviterName}</Name>
        </strong>{' '}
        invites you to{' '}
        <strong>
          <Name>{where}</Name>
        </strong>
        {invite.scope === 'channel' && (
          <>
            {' '}
            in <Name>{invite.spaceName}</Name>
          </>
        )}
      </p>
      <p className="fine">
        <Name>{`@${invite.inviterSlug}`}</Name>
      </p>
      <div className="invite-answers">
        <button
          type="button"
          className="button is-small is-primary"
          disabled={busy}
          onClick={() => void answer(true)}
        >
          Accept<span className="visually-hidden"> the invitation to {visibleLine(where)}</span>
        </button>
        <button type="button" className="button is-small" disabled={busy} onClick={() => void answer(false)}>
          Decline<span className="visually-hidden"> the invitation to {visibleLine(where)}</span>
        </button>
      </div>
    </li>
  );
}

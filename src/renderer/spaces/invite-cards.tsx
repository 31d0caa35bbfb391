import { useState } from 'react';
import type { InviteView } from '../../contract/space-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Name } from '../parts/name.tsx';
import { apart, hidden, strongApart } from '../parts/rich.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';

const none: readonly InviteView[] = [];

export const useInvites = (): readonly InviteView[] => useRooms((view) => view?.invites ?? none);

export function InviteCards({ invites }: { invites: readonly InviteView[] }) {
  return (
    <ul className="invite-cards" aria-label={t('spaces.invitationsToYou')}>
      {invites.map((invite) => (
        <InviteCard key={invite.id} invite={invite} />
      ))}
    </ul>
  );
}

function InviteCard({ invite }: { invite: InviteView }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const where = visibleLine(invite.scope === 'channel' ? `#${invite.channelName}` : invite.spaceName);
  const sentence = { name: visibleLine(invite.inviterName), where, who: strongApart, place: strongApart };
  const answer = async (accept: boolean): Promise<void> => {
    setBusy(true);
    const done = await act(link, 'invites.answer', { invite: invite.id, accept });
    setBusy(false);
    if (done) showNotice(accept ? t('spaces.joined', { where }) : t('spaces.declined'));
  };
  return (
    <li className="invite-card">
      <p>
        {invite.scope === 'channel'
          ? t.rich('spaces.invitesYouToChannel', {
              ...sentence,
              inSpace: visibleLine(invite.spaceName),
              space: apart,
            })
          : t.rich('spaces.invitesYou', sentence)}
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
          {t.rich('spaces.accept', { where, hidden })}
        </button>
        <button type="button" className="button is-small" disabled={busy} onClick={() => void answer(false)}>
          {t.rich('spaces.decline', { where, hidden })}
        </button>
      </div>
    </li>
  );
}

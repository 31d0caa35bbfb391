import { useCallback, useEffect, useState } from 'react';
import type { SentInviteView } from '../../contract/space-methods.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { Name } from '../parts/name.tsx';
import { hidden } from '../parts/rich.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Unanswered invitations that the operator sent; renders nothing if the server cannot list them. */
export function SentInvites({ spaceId }: { spaceId: string }) {
  const { link } = useReplica();
  const [sent, setSent] = useState<readonly SentInviteView[]>([]);
  const reload = useCallback((): void => {
    void link.call('invites.sent', {}).then((result) => {
      if (result.ok) setSent(result.value.sent.filter((one) => one.spaceId === spaceId));
    });
  }, [link, spaceId]);
  useEffect(reload, [reload]);
  if (sent.length === 0) return null;
  return (
    <section className="sent-invites" aria-label={t('spaces.invited')}>
      <h3>{t('spaces.invited')}</h3>
      <ul className="member-list">
        {sent.map((invite) => (
          <SentInvite key={invite.id} invite={invite} onDone={reload} />
        ))}
      </ul>
    </section>
  );
}

function SentInvite({ invite, onDone }: { invite: SentInviteView; onDone(): void }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const name = visibleLine(invite.inviteeName || invite.inviteeSlug);
  const takeBack = async (): Promise<void> => {
    setBusy(true);
    const done = await act(link, 'invites.cancel', { invite: invite.id });
    setBusy(false);
    if (done) showNotice(t('spaces.takenBack', { name }));
    onDone();
  };
  return (
    <li className="person">
      <SpeakerAvatar name={name} slug={invite.inviteeSlug} agent={false} />
      <span className="person-words">
        <strong>
          <Name>{name}</Name>
        </strong>
        <span className="soft">
          <Name>{`@${invite.inviteeSlug}`}</Name>
          {invite.scope === 'channel' && (
            <>
              {' · '}
              <Name>{`#${invite.channelName}`}</Name>
            </>
          )}
        </span>
      </span>
      <button type="button" className="button is-small" disabled={busy} onClick={() => void takeBack()}>
        {t.rich('spaces.takeBack', { name, hidden })}
      </button>
    </li>
  );
}

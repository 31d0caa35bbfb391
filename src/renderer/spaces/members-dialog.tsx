import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { Member } from '../../contract/space-methods.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { MemberChange, type MemberChoice } from './member-change.tsx';
import { MemberRow } from './member-row.tsx';
import { openSpaceDialog } from './open-dialog.ts';
import { mayManage, mayOwn, type ShownSpace } from './rights.ts';
import { SentInvites } from './sent-invites.tsx';

const rank = ['owner', 'admin', 'member'];
const byRole = (a: Member, b: Member): number =>
  rank.indexOf(a.role) - rank.indexOf(b.role) || byWords(a.displayName, b.displayName);

interface Listed {
  readonly members: readonly Member[] | null;
  readonly error: AppError | null;
  reload(): void;
}

function useMembers(spaceId: string): Listed {
  const { link } = useReplica();
  const [members, setMembers] = useState<readonly Member[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const reload = useCallback((): void => {
    void link.call('spaces.members', { space: spaceId }).then((result) => {
      setError(result.ok ? null : result.error);
      if (result.ok) setMembers([...result.value.members].sort(byRole));
    });
  }, [link, spaceId]);
  useEffect(reload, [reload]);
  return { members, error, reload };
}

export function MembersDialog({ space, onClose }: { space: ShownSpace; onClose(): void }) {
  const { members, error, reload } = useMembers(space.id);
  const self = useRooms((view) => view?.self ?? null);
  const [change, setChange] = useState<MemberChoice | null>(null);
  const name = visibleLine(space.name);
  return (
    <Dialog title={t('spaces.membersOf', { name })} onClose={onClose}>
      <ErrorNote error={error} />
      {members === null && error === null && <p className="soft">{t('spaces.asking')}</p>}
      {members !== null && (
        <ul className="member-list" aria-label={t('chat.members', { count: members.length })}>
          {members.map((member) => (
            <MemberRow
              key={member.slug}
              member={member}
              self={member.slug === self}
              manage={mayManage(space) && !space.archived}
              own={mayOwn(space) && !space.archived}
              onChange={(choice) => setChange({ member, choice })}
            />
          ))}
        </ul>
      )}
      <SentInvites spaceId={space.id} />
      {!space.archived && (
        <footer className="dialog-foot">
          <button
            type="button"
            className="button"
            onClick={() => openSpaceDialog({ type: 'invite', spaceId: space.id, roomId: null })}
          >
            {t('chat.invite')}
          </button>
        </footer>
      )}
      {change !== null && (
        <MemberChange space={space} change={change} onDone={reload} onClose={() => setChange(null)} />
      )}
    </Dialog>
  );
}

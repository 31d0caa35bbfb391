import { useState } from 'react';
import type { Room } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { roleWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { apart } from '../parts/rich.tsx';
import { MemberText } from '../spaces/member-row.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { mayManage, useSpace } from '../spaces/rights.ts';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useRooms } from '../state/subscriptions.ts';

type Member = Room['members'][number];

export function PeopleList({ room }: { room: Room }) {
  const space = useSpace(room.spaceId);
  const self = useRooms((view) => view?.self ?? null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const manage = space !== null && mayManage(space) && !space.archived;
  const sorted = [...room.members].sort((a, b) => byWords(a.displayName, b.displayName));
  return (
    <>
      {space !== null && (
        <div className="people-actions">
          {!space.archived && (
            <button
              type="button"
              className="button is-small"
              onClick={() => openSpaceDialog({ type: 'invite', spaceId: space.id, roomId: room.id })}
            >
              {t('chat.invite')}
            </button>
          )}
          <button
            type="button"
            className="button is-small"
            onClick={() => openSpaceDialog({ type: 'members', spaceId: space.id })}
          >
            {t.rich('chat.allOf', { name: visibleLine(space.name), space: apart })}
          </button>
        </div>
      )}
      <ul className="people-list">
        {sorted.map((member) => (
          <Person
            key={member.slug}
            member={member}
            self={member.slug === self}
            onRemove={manage && member.slug !== self ? () => setRemoving(member) : null}
          />
        ))}
      </ul>
      {removing !== null && (
        <RemoveFromRoom room={room} member={removing} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function Person({
  member,
  self,
  onRemove,
}: {
  member: Member;
  self: boolean;
  onRemove: (() => void) | null;
}) {
  return (
    <li className="person">
      <MemberText member={member} self={self} role={member.role === 'member' ? '' : roleWords(member.role)} />
      {!self && (
        <Menu label={t('chat.moreAbout', { name: visibleLine(member.displayName) })}>
          <MenuItem onPick={() => go({ view: 'chat', room: dmRoomId(member.slug) })}>
            {t('chat.writeDirectly')}
          </MenuItem>
          <MenuItem onPick={() => go({ view: 'people', person: member.slug })}>
            {t('people.profile')}
          </MenuItem>
          {onRemove !== null && (
            <MenuItem danger onPick={onRemove}>
              {t('chat.removeFromChannel')}
            </MenuItem>
          )}
        </Menu>
      )}
    </li>
  );
}

function RemoveFromRoom({ room, member, onClose }: { room: Room; member: Member; onClose(): void }) {
  const remove = useAction('channels.remove');
  const who = visibleLine(member.displayName);
  const where = visibleLine(room.name);
  const run = async (): Promise<void> => {
    const done = await remove.run({ channel: room.id, who: member.slug });
    if (!done.ok) return;
    showNotice(t('chat.removed', { who, room: where }));
    onClose();
  };
  return (
    <Confirm
      title={t('chat.removeTitle', { who, room: where })}
      verb={t('chat.remove')}
      danger
      busy={remove.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{t('chat.removeHappens', { who })}</p>
      <ErrorNote error={remove.error} />
    </Confirm>
  );
}

import { useState } from 'react';
import type { Room } from '../../contract/model.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { MemberName } from '../spaces/member-row.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { mayManage, useSpace } from '../spaces/rights.ts';
import { useAction } from '../state/action.ts';
import { useSeen } from '../state/presence.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useRooms } from '../state/subscriptions.ts';
import { byWords } from '../words/order.ts';
import { visibleLine } from '../words/visible-text.ts';

type Member = Room['members'][number];

/** Who is in the room, what the agents among them do, and what you may do about each. */
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
              Invite…
            </button>
          )}
          <button
            type="button"
            className="button is-small"
            onClick={() => openSpaceDialog({ type: 'members', spaceId: space.id })}
          >
            All of <Name>{space.name}</Name>
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
  const seen = useSeen(member.agent ? member.slug : null);
  return (
    <li className="person">
      <SpeakerAvatar name={member.displayName} slug={member.slug} agent={member.agent} />
      <span className="person-words">
        <MemberName member={member} self={self} />
        <span className="soft">
          <Name>{`@${member.slug}`}</Name>
          {seen === null ? '' : ` · ${seen.words}`}
          {member.role === '' || member.role === 'member' ? '' : ` · ${visibleLine(member.role)}`}
        </span>
      </span>
      {!self && (
        <Menu label={`More about ${visibleLine(member.displayName)}`}>
          <MenuItem onPick={() => go({ view: 'chat', room: `dm:${member.slug}` })}>Write directly</MenuItem>
          {onRemove !== null && (
            <MenuItem danger onPick={onRemove}>
              Remove from the channel…
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
  const run = async (): Promise<void> => {
    const done = await remove.run({ channel: room.id, who: member.slug });
    if (!done.ok) return;
    say(`${who} was removed from #${visibleLine(room.name)}.`);
    onClose();
  };
  return (
    <Confirm
      title={`Remove ${who} from #${visibleLine(room.name)}?`}
      verb="Remove"
      danger
      busy={remove.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        {who} gets nothing that is written here from then on, and stays in the space. What {who} has received
        stays there.
      </p>
      <ErrorNote error={remove.error} />
    </Confirm>
  );
}

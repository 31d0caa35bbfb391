import type { Room } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { mayManage, useSpace } from '../spaces/rights.ts';
import { go } from '../state/route.ts';
import { MuteItems } from './mute-items.tsx';

/** Actions on a channel or a direct message. */
export function RoomMenu({ room }: { room: Room }) {
  return room.kind === 'channel' ? <ChannelMenu room={room} /> : <DirectMenu room={room} />;
}

function DirectMenu({ room }: { room: Room }) {
  const slug = dmSlug(room.id);
  if (slug === null) return null;
  return (
    <Menu label={t('chat.moreAbout', { name: visibleLine(room.name) })}>
      <MenuItem onPick={() => go({ view: 'people', person: slug })}>{t('people.profile')}</MenuItem>
      <MuteItems roomId={room.id} threadId={null} />
    </Menu>
  );
}

function ChannelMenu({ room }: { room: Room }) {
  const space = useSpace(room.spaceId);
  if (space === null) return null;
  const [roomId, manage] = [room.id, mayManage(space) && !space.archived];
  return (
    <Menu label={t('chat.channel', { name: visibleLine(room.name) })}>
      {!space.archived && (
        <MenuItem onPick={() => openSpaceDialog({ type: 'invite', spaceId: space.id, roomId })}>
          {t('chat.invite')}
        </MenuItem>
      )}
      {manage && (
        <MenuItem onPick={() => openSpaceDialog({ type: 'rename-channel', roomId })}>
          {t('chat.rename')}
        </MenuItem>
      )}
      <MenuItem onPick={() => openSpaceDialog({ type: 'members', spaceId: space.id })}>
        {t('chat.spaceMembers')}
      </MenuItem>
      <MuteItems roomId={roomId} threadId={null} />
      <MenuItem danger onPick={() => openSpaceDialog({ type: 'leave-channel', roomId })}>
        {t('chat.leave')}
      </MenuItem>
      {manage && (
        <MenuItem danger onPick={() => openSpaceDialog({ type: 'delete-channel', roomId })}>
          {t('chat.delete')}
        </MenuItem>
      )}
    </Menu>
  );
}

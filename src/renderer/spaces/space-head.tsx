import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Name } from '../parts/name.tsx';
import { openSpaceDialog } from './open-dialog.ts';
import { mayLeave, mayManage, mayOwn, type ShownSpace } from './rights.ts';

export function SpaceHead({ space }: { space: ShownSpace }) {
  const { id: spaceId, archived } = space;
  const manage = mayManage(space);
  return (
    <header className="space-head">
      <h3 title={visibleLine(space.name)}>
        <Name>{space.name}</Name>
      </h3>
      {archived && <span className="chip">{t('spaces.isArchived')}</span>}
      <Menu label={t('spaces.space', { name: visibleLine(space.name) })}>
        {manage && !archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'new-channel', spaceId })}>
            {t('spaces.newChannel')}
          </MenuItem>
        )}
        {!archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'invite', spaceId, roomId: null })}>
            {t('chat.invite')}
          </MenuItem>
        )}
        {manage && !archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'links', spaceId })}>
            {t('spaces.invitePeople')}
          </MenuItem>
        )}
        <MenuItem onPick={() => openSpaceDialog({ type: 'members', spaceId })}>
          {t('spaces.members')}
        </MenuItem>
        {manage && !archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'rename-space', spaceId })}>
            {t('chat.rename')}
          </MenuItem>
        )}
        {mayOwn(space) && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'archive-space', spaceId })}>
            {archived ? t('chat.bringBack') : t('spaces.toArchive')}
          </MenuItem>
        )}
        {mayLeave(space) && (
          <MenuItem danger onPick={() => openSpaceDialog({ type: 'leave-space', spaceId })}>
            {t('chat.leave')}
          </MenuItem>
        )}
      </Menu>
    </header>
  );
}

import { Menu, MenuItem } from '../parts/menu.tsx';
import { Name } from '../parts/name.tsx';
import { visibleLine } from '../words/visible-text.ts';
import { openSpaceDialog } from './open-dialog.ts';
import { mayLeave, mayManage, mayOwn, type Space } from './rights.ts';

/** The name of a space above its channels, and all that can be done with it. */
export function SpaceHead({ space }: { space: Space }) {
  const { id: spaceId, archived } = space;
  const manage = mayManage(space);
  return (
    <header className="space-head">
      <h3 title={visibleLine(space.name)}>
        <Name>{space.name}</Name>
      </h3>
      {archived && <span className="chip">archived</span>}
      <Menu label={`Space ${visibleLine(space.name)}`}>
        {manage && !archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'new-channel', spaceId })}>New channel…</MenuItem>
        )}
        {!archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'invite', spaceId, roomId: null })}>
            Invite…
          </MenuItem>
        )}
        <MenuItem onPick={() => openSpaceDialog({ type: 'members', spaceId })}>Members…</MenuItem>
        {manage && !archived && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'rename-space', spaceId })}>Rename…</MenuItem>
        )}
        {mayOwn(space) && (
          <MenuItem onPick={() => openSpaceDialog({ type: 'archive-space', spaceId })}>
            {archived ? 'Bring back…' : 'Archive…'}
          </MenuItem>
        )}
        {mayLeave(space) && (
          <MenuItem danger onPick={() => openSpaceDialog({ type: 'leave-space', spaceId })}>
            Leave…
          </MenuItem>
        )}
      </Menu>
    </header>
  );
}

import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { mayOwn, useSpace } from '../spaces/rights.ts';
import { Composer } from './composer.tsx';

/** The composer; in an archived space a note with the reason and, for its owner, a restore button. */
export function ComposerArea({ room, threadRootId }: { room: Room; threadRootId: string | null }) {
  const space = useSpace(room.spaceId);
  if (space === null || !space.archived) return <Composer room={room} threadRootId={threadRootId} />;
  return (
    <div className="archived-note" role="note">
      <Icon name="lock" size={16} />
      <span>{t('chat.archived')}</span>
      <span className="spacer" />
      {mayOwn(space) && (
        <button
          type="button"
          className="button is-small"
          onClick={() => openSpaceDialog({ type: 'archive-space', spaceId: space.id })}
        >
          {t('chat.bringBack')}
        </button>
      )}
    </div>
  );
}

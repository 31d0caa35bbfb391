import type { Room } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Name } from '../parts/name.tsx';
import { Segments } from '../parts/segments.tsx';
import { TrustChip } from '../people/trust-chip.tsx';
import { openSearch } from '../search/search-state.ts';
import { go } from '../state/route.ts';
import { openInspector, showServerView, useScreen } from '../state/screen.ts';
import { RoomSign } from './room-icon.tsx';
import { RoomMenu } from './room-menu.tsx';

export function ChatHead({ room }: { room: Room }) {
  const serverView = useScreen((screen) => screen.serverView);
  const members = t('chat.members', { count: room.members.length });
  return (
    <header className="chat-head">
      <button
        type="button"
        className="icon-button back"
        aria-label={t('chat.backToList')}
        onClick={() => go({ view: 'chat', room: null })}
      >
        <Icon name="back" />
      </button>
      <h1>
        <RoomSign room={room} />
        <Name>{room.name}</Name>
        {dmSlug(room.id) !== null && <TrustChip slug={dmSlug(room.id) ?? ''} />}
      </h1>
      {room.encrypted ? (
        <button
          type="button"
          className="lock"
          title={t('chat.sealedHint')}
          onClick={() => showServerView(!serverView)}
        >
          <Icon name="lock" size={14} />
          <span>{t('chat.sealed')}</span>
        </button>
      ) : (
        <span className="lock is-open" title={t('chat.openHint')}>
          <Icon name="eye" size={14} />
          <span>{t('chat.open')}</span>
        </span>
      )}
      <span className="spacer" />
      {room.members.length > 0 && !serverView && (
        <button
          type="button"
          className="icon-button people"
          aria-label={members}
          title={members}
          onClick={() => openInspector({ type: 'people' })}
        >
          <Icon name="people" />
          <span aria-hidden="true">{room.members.length}</span>
        </button>
      )}
      <IconButton
        icon="search"
        label={t('chat.searchRoom')}
        title={t('chat.searchRoomKeys')}
        size={18}
        onPress={() => openSearch(room.id)}
      />
      <RoomMenu room={room} />
      <Segments
        label={t('chat.howToLook')}
        value={serverView ? 'server' : 'you'}
        options={[
          ['you', t('chat.whatYouSee')],
          ['server', t('chat.whatServerSees')],
        ]}
        onChange={(view) => showServerView(view === 'server')}
      />
    </header>
  );
}

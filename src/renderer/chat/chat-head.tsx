import type { Room } from '../../contract/model.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Segments } from '../parts/segments.tsx';
import { openSearch } from '../search/search-state.ts';
import { go } from '../state/route.ts';
import { openInspector, showServerView, useScreen } from '../state/screen.ts';
import { plural } from '../words/amounts.ts';
import { RoomMenu } from './room-menu.tsx';
import { RoomSign } from './room-sign.tsx';

const views = [
  ['you', 'What you see'],
  ['server', 'What the server sees'],
] as const;

export function ChatHead({ room }: { room: Room }) {
  const serverView = useScreen((screen) => screen.serverView);
  return (
    <header className="chat-head">
      <button
        type="button"
        className="icon-button back"
        aria-label="Back to the list"
        onClick={() => go({ view: 'chat', room: null })}
      >
        <Icon name="back" />
      </button>
      <h1>
        <RoomSign room={room} />
        <Name>{room.name}</Name>
      </h1>
      {room.encrypted ? (
        <button
          type="button"
          className="lock"
          title="Only the devices of its members can read this room. See what the server sees."
          onClick={() => showServerView(!serverView)}
        >
          <Icon name="lock" size={14} />
          <span>end-to-end encrypted</span>
        </button>
      ) : (
        <span className="lock is-open" title="The server can read this room.">
          <Icon name="eye" size={14} />
          <span>not encrypted</span>
        </span>
      )}
      <span className="spacer" />
      {room.members.length > 0 && !serverView && (
        <button
          type="button"
          className="icon-button people"
          aria-label={`${plural(room.members.length, 'member')}`}
          title={`${plural(room.members.length, 'member')}`}
          onClick={() => openInspector({ type: 'people' })}
        >
          <Icon name="people" />
          <span aria-hidden="true">{room.members.length}</span>
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Search this room"
        title="Search this room (Ctrl+F)"
        onClick={() => openSearch(room.id)}
      >
        <Icon name="search" size={18} />
      </button>
      <RoomMenu room={room} />
      <Segments
        label="How to look at this room"
        value={serverView ? 'server' : 'you'}
        options={views}
        onChange={(view) => showServerView(view === 'server')}
      />
    </header>
  );
}

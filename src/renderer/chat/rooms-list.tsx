import { memo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Room } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { hidden } from '../parts/rich.tsx';
import { useRoving } from '../parts/roving.ts';
import { Ago } from '../parts/time.tsx';
import { openSearch } from '../search/search-state.ts';
import { InviteCards, useInvites } from '../spaces/invite-cards.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import type { ShownSpace } from '../spaces/rights.ts';
import { SpaceHead } from '../spaces/space-head.tsx';
import { go } from '../state/route.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { byWords } from '../words/order.ts';
import { connectionWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';
import { RoomSign } from './room-sign.tsx';

interface Group {
  readonly key: string;
  /** `null` for direct messages. */
  readonly space: ShownSpace | null;
  readonly rooms: readonly Room[];
}

/** Sorts archived spaces last and keeps spaces without channels, because their menu must stay reachable. */
function groupsOf(spaces: readonly ShownSpace[], rooms: readonly Room[]): Group[] {
  const channels = rooms.filter((room) => room.kind === 'channel');
  const bySpace = spaces.map((space) => ({
    key: space.id,
    space,
    rooms: channels.filter((room) => room.spaceId === space.id).sort(byName),
  }));
  const direct = rooms.filter((room) => room.kind === 'dm').sort(byName);
  return [
    ...bySpace.filter(({ space }) => !space.archived),
    ...(direct.length === 0 ? [] : [{ key: 'dm', space: null, rooms: direct }]),
    ...bySpace.filter(({ space }) => space.archived),
  ];
}

const noSpaces: readonly ShownSpace[] = [];

const byName = (a: Room, b: Room): number => byWords(a.name, b.name);

export function RoomsList({ selected }: { selected: string | null }) {
  const { rooms } = useReplica();
  const all = useStore(
    rooms.store,
    useShallow((value) => Object.values(value.state?.rooms ?? {})),
  );
  const spaces = useRooms((view) => view?.spaces ?? noSpaces);
  const self = useRooms((view) => view?.self ?? null);
  const connection = useRooms((view) => view?.connection ?? 'none');
  const place = useRef<HTMLElement>(null);
  const onKey = useRoving(place);
  const groups = groupsOf(spaces, all);
  const first = all.some((room) => room.id === selected) ? selected : (groups[0]?.rooms[0]?.id ?? null);
  return (
    <section className="list" aria-label={t('chat.rooms')} ref={place} onKeyDown={onKey}>
      <header className="list-head">
        <h2>{t('chat.chat')}</h2>
        {connection !== 'online' && <span className="chip is-amber">{connectionWords(connection)}</span>}
        <span className="spacer" />
        <button
          type="button"
          className="icon-button"
          aria-label={t('chat.searchMessages')}
          title={t('chat.searchMessagesKeys')}
          onClick={() => openSearch(null)}
        >
          <Icon name="search" size={18} />
        </button>
        {self !== null && (
          <button
            type="button"
            className="icon-button"
            aria-label={t('chat.newSpace')}
            title={t('chat.newSpace')}
            onClick={() => openSpaceDialog({ type: 'new-space' })}
          >
            <Icon name="plus" />
          </button>
        )}
      </header>
      <Invitations />
      {groups.length === 0 && <p className="list-empty">{t('chat.noRoomsListed')}</p>}
      {groups.map((group) => (
        <div key={group.key} className="list-group">
          {group.space === null ? <h3>{t('chat.directMessages')}</h3> : <SpaceHead space={group.space} />}
          {group.rooms.length === 0 && <NoChannels />}
          <ul className="list-rows">
            {group.rooms.map((room) => (
              <RoomRow
                key={room.id}
                room={room}
                selected={room.id === selected}
                reachable={room.id === first}
              />
            ))}
          </ul>
        </div>
      ))}
      <AgentsToMeet known={all} />
    </section>
  );
}

/** Shown for a new space, or if the operator is in none of its channels. */
function NoChannels() {
  return <p className="list-empty">{t('chat.noChannels')}</p>;
}

/** Both forms are rendered; the style sheet shows only the number in a narrow list. */
function Invitations() {
  const invites = useInvites();
  if (invites.length === 0) return null;
  const words = t('chat.invitations', { count: invites.length });
  return (
    <>
      <InviteCards invites={invites} />
      <button
        type="button"
        className="icon-button invites-narrow"
        title={words}
        aria-label={words}
        onClick={() => openSpaceDialog({ type: 'invites' })}
      >
        <Icon name="inbox" />
        <span className="badge" aria-hidden="true">
          {invites.length}
        </span>
      </button>
    </>
  );
}

interface RowOf {
  readonly room: Room;
  readonly selected: boolean;
  readonly reachable: boolean;
}

const RoomRow = memo(function RoomRow({ room, selected, reachable }: RowOf) {
  return (
    <li>
      <button
        type="button"
        data-item
        className={`list-row room-row${room.unread > 0 ? ' has-unread' : ''}`}
        tabIndex={reachable ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={visibleLine(room.kind === 'channel' ? `#${room.name}` : room.name)}
        onClick={() => go({ view: 'chat', room: room.id })}
      >
        <RoomSign room={room} />
        <span className="row-name">
          <Name>{room.name}</Name>
        </span>
        {room.unread > 0 ? (
          <span className="badge">{t.rich('chat.unread', { count: room.unread, hidden })}</span>
        ) : (
          room.lastMessageAt !== null && (
            <span className="row-time">
              <Ago at={room.lastMessageAt} />
            </span>
          )
        )}
      </button>
    </li>
  );
});

/** Own agents without a direct message yet, so that one click starts one. */
function AgentsToMeet({ known }: { known: readonly Room[] }) {
  const { agents } = useReplica();
  const fresh = useStore(
    agents.store,
    useShallow((value) =>
      Object.values(value.state ?? {}).filter(
        ({ slug }) => slug !== null && !known.some(({ id }) => id === dmRoomId(slug)),
      ),
    ),
  );
  if (fresh.length === 0) return null;
  return (
    <div className="list-group">
      <h3>{t('chat.yourAgents')}</h3>
      <ul className="list-rows">
        {fresh.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              data-item
              className="list-row room-row is-fresh"
              tabIndex={-1}
              title={t('chat.writeTo', { name: visibleLine(agent.displayName) })}
              onClick={() => go({ view: 'chat', room: dmRoomId(agent.slug ?? '') })}
            >
              <StateDot state={agent.dot} />
              <span className="row-name">
                <Name>{agent.displayName}</Name>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

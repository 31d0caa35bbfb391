import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Room } from '../../contract/model.ts';
import { dmSlug, mainRoom } from '../../contract/room-id.ts';
import { locale, t } from '../../language/texts.ts';
import { connectionWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ListRows } from '../lists/list-rows.tsx';
import { ListTitle } from '../lists/list-title.tsx';
import { useListKeys } from '../lists/use-list-keys.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Name } from '../parts/name.tsx';
import { hidden } from '../parts/rich.tsx';
import { Ago } from '../parts/time.tsx';
import { openSearch } from '../search/search-state.ts';
import { InviteCards, useInvites } from '../spaces/invite-cards.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import type { ShownSpace } from '../spaces/rights.ts';
import { SpaceHead } from '../spaces/space-head.tsx';
import { setPreferences, usePreferences } from '../state/preferences.ts';
import { go } from '../state/route.ts';
import { useAgent, useAgents, useReplica, useRooms } from '../state/subscriptions.ts';
import { ScriptedMark } from './agent-chip.tsx';
import { currentConversation, newestAt, unreadIn } from './conversations.ts';
import { listRooms, type QuietAgent, type RoomItem } from './listed-rooms.ts';
import { useMute } from './mute-items.tsx';
import { RoomSign } from './room-icon.tsx';

const noSpaces: readonly ShownSpace[] = [];

/** Id, handle and name of each registered agent as one text, so that other changes of an agent render nothing. */
const identity = (id: string, slug: string, name: string): string => JSON.stringify([id, slug, name]);

function useOwnAgents() {
  const identities = useAgents(
    useShallow((all) =>
      Object.values(all ?? {}).flatMap(({ id, slug, displayName }) =>
        slug === null ? [] : [identity(id, slug, displayName)],
      ),
    ),
  );
  return useMemo(
    () =>
      identities.map((text) => {
        const [id = '', slug = '', name = ''] = JSON.parse(text) as readonly string[];
        return { id, slug, name };
      }),
    [identities],
  );
}

function useListedRooms(selected: string | null): readonly RoomItem[] {
  const { rooms: topic } = useReplica();
  const rooms = useStore(
    topic.store,
    useShallow((value) => Object.values(value.state?.rooms ?? {})),
  );
  const spaces = useRooms((view) => view?.spaces ?? noSpaces);
  const agents = useOwnAgents();
  const othersOpen = usePreferences((look) => look.othersOpen);
  return useMemo(
    () => listRooms({ spaces, rooms, agents, selected, othersOpen }),
    [spaces, rooms, agents, selected, othersOpen],
  );
}

const takesFocus = ({ kind }: RoomItem): boolean => kind === 'room' || kind === 'others' || kind === 'agent';

/** `isAlone`: a narrow window shows the list in place of the page. */
export function RoomsList({ selected: open, isAlone }: { selected: string | null; isAlone: boolean }) {
  // The conversations of a direct message share one row.
  const selected = open === null ? null : mainRoom(open);
  const items = useListedRooms(selected);
  const self = useRooms((view) => view?.self ?? null);
  const connection = useRooms((view) => view?.connection ?? 'none');
  const ids = useMemo(() => items.filter(takesFocus).map(({ key }) => key), [items]);
  const keys = useListKeys({ keys: ids, current: selected });
  return (
    <section
      className="list"
      role={isAlone ? 'main' : undefined}
      aria-label={t('chat.rooms')}
      ref={keys.place}
      onFocus={keys.onFocus}
      onKeyDown={keys.onKeyDown}
    >
      <header className="list-head">
        <ListTitle isAlone={isAlone}>{t('chat.chat')}</ListTitle>
        {connection !== 'online' && <span className="chip is-amber">{connectionWords(connection)}</span>}
        <span className="spacer" />
        <IconButton
          icon="search"
          label={t('chat.searchMessages')}
          title={t('chat.searchMessagesKeys')}
          size={18}
          onPress={() => openSearch(null)}
        />
        {self !== null && (
          <>
            <IconButton
              icon="people"
              label={t('palette.people')}
              size={18}
              onPress={() => go({ view: 'people', person: null })}
            />
            <IconButton
              icon="pencil"
              label={t('people.newMessage')}
              size={18}
              onPress={() => openSpaceDialog({ type: 'new-message' })}
            />
            <IconButton
              icon="plus"
              label={t('chat.newSpace')}
              size={20}
              onPress={() => openSpaceDialog({ type: 'new-space' })}
            />
          </>
        )}
      </header>
      <Invitations />
      {!items.some(({ kind }) => kind === 'space' || kind === 'direct') && (
        <p className="list-empty">{t('chat.noRoomsListed')}</p>
      )}
      <ListRows
        items={items}
        active={keys.active}
        render={(item) => <Row item={item} selected={selected} active={keys.active} />}
      />
    </section>
  );
}

interface ItemOf {
  readonly item: RoomItem;
  readonly selected: string | null;
  readonly active: string | null;
}

function Row({ item, selected, active }: ItemOf) {
  const reachable = item.key === active;
  switch (item.kind) {
    case 'space':
      return <SpaceHead space={item.space} />;
    case 'none':
      // A new space, or one in which the operator is in no channel.
      return <p className="list-empty">{t('chat.noChannels')}</p>;
    case 'direct':
      return <h3>{t('chat.directMessages')}</h3>;
    case 'room':
      return (
        <RoomRow
          room={item.room}
          further={item.further}
          selected={item.key === selected}
          reachable={reachable}
        />
      );
    case 'others':
      return <OthersHead count={item.count} open={item.open} reachable={reachable} />;
    case 'agent':
      return <QuietAgentRow agent={item.agent} reachable={reachable} />;
  }
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
  /** Its further conversations. */
  readonly further: readonly Room[];
  readonly selected: boolean;
  readonly reachable: boolean;
}

const RoomRow = memo(function RoomRow({ room, further, selected, reachable }: RowOf) {
  const muted = useMute(room.id) !== null;
  const unread = useRooms((view) => (view === null ? room.unread : unreadIn(view, [room, ...further])));
  const lastAt = newestAt([room, ...further]);
  return (
    <button
      type="button"
      data-item
      className={`list-row room-row${unread > 0 ? ' has-unread' : ''}${muted ? ' is-muted' : ''}`}
      tabIndex={reachable ? 0 : -1}
      aria-current={selected ? 'true' : undefined}
      title={visibleLine(room.kind === 'channel' ? `#${room.name}` : room.name)}
      onClick={() => go({ view: 'chat', room: currentConversation(room, further) })}
    >
      <RoomSign room={room} />
      <span className="row-name">
        <Name>{room.name}</Name>
      </span>
      <ScriptedMark slug={dmSlug(room.id)} />
      {muted && (
        <span className="row-sign" title={t('chat.muted')}>
          <Icon name="bellOff" size={14} />
          <span className="visually-hidden">{t('chat.muted')}</span>
        </span>
      )}
      {unread > 0 ? (
        <span className="badge">{t.rich('chat.unread', { count: unread, hidden })}</span>
      ) : (
        lastAt !== null && (
          <span className="row-time">
            <Ago at={lastAt} />
          </span>
        )
      )}
    </button>
  );
});

interface OthersOf {
  readonly count: number;
  readonly open: boolean;
  readonly reachable: boolean;
}

/** Folds and unfolds the agents without a conversation. */
function OthersHead({ count, open, reachable }: OthersOf) {
  return (
    <h3 className="others-head">
      <button
        type="button"
        data-item
        tabIndex={reachable ? 0 : -1}
        aria-expanded={open}
        title={t('chat.otherAgentsHint')}
        onClick={() => setPreferences({ othersOpen: !open })}
      >
        <Icon name="chevron" size={14} />
        <span>{t('chat.otherAgents')}</span>
        <span className="soft">{count.toLocaleString(locale())}</span>
      </button>
    </h3>
  );
}

/** An own agent without a conversation; a click starts one. */
function QuietAgentRow({
  agent: { id, roomId, name },
  reachable,
}: {
  agent: QuietAgent;
  reachable: boolean;
}) {
  const agent = useAgent(id);
  return (
    <button
      type="button"
      data-item
      className="list-row room-row is-fresh"
      tabIndex={reachable ? 0 : -1}
      title={t('chat.writeTo', { name: visibleLine(name) })}
      onClick={() => go({ view: 'chat', room: roomId })}
    >
      <StateDot state={agent?.dot ?? 'offline'} />
      <span className="row-name">
        <Name>{name}</Name>
      </span>
      <ScriptedMark slug={dmSlug(roomId)} />
    </button>
  );
}

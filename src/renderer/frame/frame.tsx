import { useEffect } from 'react';
import { countUnread } from '../../contract/count-unread.ts';
import { t } from '../../language/texts.ts';
import { roomLabel } from '../chat/conversations.ts';
import { useNoStrayDrops } from '../files/stray-drops.ts';
import { useMakingReal } from '../first-run/make-real-state.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useSight } from '../home/page-visits.ts';
import { usePalette } from '../palette/palette-state.ts';
import { useSearch } from '../search/search-state.ts';
import { useSpaceDialog } from '../spaces/open-dialog.ts';
import { type Route, useRoute } from '../state/route.ts';
import { askNewAgent, useScreen } from '../state/screen.ts';
import { useAgents, useLine, useRooms } from '../state/subscriptions.ts';
import { Banners } from './banners.tsx';
import { useFrameKeys } from './frame-keys.ts';
import { useIsNarrow } from './open-view.ts';
import { Rail } from './rail.tsx';
import { Sounds } from './sounds.tsx';
import { StatusLine } from './status-line.tsx';
import {
  LazyAgentPlace,
  LazyAgentsList,
  LazyChatPlace,
  LazyCreateAgent,
  LazyHome,
  LazyInbox,
  LazyMakeReal,
  LazyPalette,
  LazyPeoplePlace,
  LazyRoomsList,
  LazySearchDialog,
  LazySettings,
  LazySpaceDialogs,
  LazyWorkPage,
  prefetchRest,
} from './views.ts';

const hasList = (route: Route): boolean => route.view === 'chat' || route.view === 'agents';
const isOpen = (route: Route): boolean =>
  route.view === 'chat' ? route.room !== null : route.view === 'agents' ? route.agent !== null : true;

/**
 * Layout: rail, list, content, status line. Narrow windows shrink the list to icons or show it instead of the
 * content.
 */
export function Frame() {
  const route = useRoute((state) => state.route);
  const lost = useLine() === 'lost';
  useFrameKeys();
  useNoStrayDrops();
  useSight();
  useTitle(route);
  useEffect(() => void prefetchRest(), []);
  const isAlone = useIsNarrow() && hasList(route) && !isOpen(route);
  const shape = `frame${lost ? ' is-stale' : ''}${hasList(route) ? ' has-list' : ''}${isOpen(route) ? ' is-open' : ''}`;
  return (
    <div className={shape}>
      <Rail />
      <Banners />
      {route.view === 'chat' && <LazyRoomsList selected={route.room} isAlone={isAlone} />}
      {route.view === 'agents' && <LazyAgentsList selected={route.agent} isAlone={isAlone} />}
      <main className="content">
        <Content route={route} />
      </main>
      <StatusLine />
      <Dialogs />
      <Sounds />
    </div>
  );
}

function Content({ route }: { route: Route }) {
  switch (route.view) {
    case 'home':
      return <LazyHome />;
    case 'inbox':
      return <LazyInbox shown={route.id} />;
    case 'work':
      return <LazyWorkPage place={route.place} />;
    case 'settings':
      return <LazySettings />;
    case 'chat':
      return <LazyChatPlace room={route.room} />;
    case 'agents':
      return <LazyAgentPlace agent={route.agent} />;
    case 'people':
      return <LazyPeoplePlace person={route.person} />;
  }
}

/** Sets the document title to the open page and the unread count, for the task bar and the browser's tabs. */
function useTitle(route: Route): void {
  const room = useRooms((view) => (route.view === 'chat' ? (view?.rooms[route.room ?? ''] ?? null) : null));
  const agent = useAgents((all) => (route.view === 'agents' ? (all?.[route.agent ?? ''] ?? null) : null));
  const unread = useRooms((view) =>
    view === null ? 0 : Object.values(view.rooms).reduce((sum, one) => sum + countUnread(view, one), 0),
  );
  const name = room === null ? agent?.displayName : roomLabel(room);
  const place = name === undefined ? t(`palette.${route.view}`) : visibleLine(name);
  const title = unread > 0 ? t('frame.titleUnread', { count: unread, place }) : t('frame.title', { place });
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = 'Kennel';
    };
  }, [title]);
}

/** Dialogs that any page can open. */
function Dialogs() {
  const ofSpace = useSpaceDialog(({ dialog }) => dialog !== null);
  const searching = useSearch(({ open }) => open);
  const makingReal = useMakingReal(({ agent }) => agent !== null);
  const keys = usePalette(({ shown }) => shown !== null);
  const creating = useScreen((screen) => screen.creating);
  return (
    <>
      {ofSpace && <LazySpaceDialogs />}
      {searching && <LazySearchDialog />}
      {makingReal && <LazyMakeReal />}
      {keys && <LazyPalette />}
      {creating && <LazyCreateAgent onClose={() => askNewAgent(false)} />}
    </>
  );
}

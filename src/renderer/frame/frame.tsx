import { useEffect } from 'react';
import { useNoStrayDrops } from '../files/stray-drops.ts';
import { useSight } from '../home/sight.ts';
import { type Route, useRoute } from '../state/route.ts';
import { useLine } from '../state/subscriptions.ts';
import { Banners } from './banners.tsx';
import { Dialogs } from './dialogs.tsx';
import { useFrameKeys } from './frame-keys.ts';
import { Rail } from './rail.tsx';
import { StatusLine } from './status-line.tsx';
import { useTitle } from './use-title.ts';
import {
  AgentPlace,
  AgentsList,
  ChatList,
  ChatPlace,
  Home,
  Inbox,
  prefetchRest,
  Settings,
  WorkPage,
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
  const shape = `frame${lost ? ' is-stale' : ''}${hasList(route) ? ' has-list' : ''}${isOpen(route) ? ' is-open' : ''}`;
  return (
    <div className={shape}>
      <Rail />
      <Banners />
      {route.view === 'chat' && <ChatList selected={route.room} />}
      {route.view === 'agents' && <AgentsList selected={route.agent} />}
      <main className="content">
        <Content route={route} />
      </main>
      <StatusLine />
      <Dialogs />
    </div>
  );
}

function Content({ route }: { route: Route }) {
  switch (route.view) {
    case 'home':
      return <Home />;
    case 'inbox':
      return <Inbox shown={route.id} />;
    case 'work':
      return <WorkPage place={route.place} />;
    case 'settings':
      return <Settings />;
    case 'chat':
      return <ChatPlace room={route.room} />;
    case 'agents':
      return <AgentPlace agent={route.agent} />;
  }
}

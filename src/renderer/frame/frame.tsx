import { AgentPage } from '../agents/agent-page.tsx';
import { AgentsList } from '../agents/agents-list.tsx';
import { ChatPage } from '../chat/chat-page.tsx';
import { RoomsList } from '../chat/rooms-list.tsx';
import { Home } from '../home/home.tsx';
import { Empty } from '../parts/empty.tsx';
import { Settings } from '../settings/settings.tsx';
import { type Route, useRoute } from '../state/route.ts';
import { Banners } from './banners.tsx';
import { useFrameKeys } from './frame-keys.ts';
import { Rail } from './rail.tsx';
import { StatusLine } from './status-line.tsx';

const hasList = (route: Route): boolean => route.view === 'chat' || route.view === 'agents';
const isOpen = (route: Route): boolean =>
  route.view === 'chat' ? route.room !== null : route.view === 'agents' ? route.agent !== null : true;

/** Rail, list, content, status line; the list gives way on narrow windows. */
export function Frame() {
  const route = useRoute((state) => state.route);
  useFrameKeys();
  const shape = `frame${hasList(route) ? ' has-list' : ''}${isOpen(route) ? ' is-open' : ''}`;
  return (
    <div className={shape}>
      <Rail />
      <Banners />
      {route.view === 'chat' && <RoomsList selected={route.room} />}
      {route.view === 'agents' && <AgentsList selected={route.agent} />}
      <main className="content">
        <Content route={route} />
      </main>
      <StatusLine />
    </div>
  );
}

function Content({ route }: { route: Route }) {
  switch (route.view) {
    case 'home':
      return <Home />;
    case 'settings':
      return <Settings />;
    case 'chat':
      return route.room === null ? (
        <Empty title="Choose a room">Your rooms and direct messages are in the list.</Empty>
      ) : (
        <ChatPage key={route.room} roomId={route.room} />
      );
    case 'agents':
      return route.agent === null ? (
        <Empty title="Choose an agent">See what it does, who it is and how it runs.</Empty>
      ) : (
        <AgentPage key={route.agent} id={route.agent} />
      );
  }
}

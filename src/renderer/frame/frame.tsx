import { AgentPage } from '../agents/agent-page.tsx';
import { AgentsList } from '../agents/agents-list.tsx';
import { CreateAgent } from '../agents/create-agent.tsx';
import { NoAgentChosen } from '../agents/no-agent-chosen.tsx';
import { ChatPage } from '../chat/chat-page.tsx';
import { NoRoomChosen } from '../chat/no-room-chosen.tsx';
import { RoomsList } from '../chat/rooms-list.tsx';
import { useNoStrayDrops } from '../files/use-files.ts';
import { MakeReal } from '../first-run/make-real.tsx';
import { Home } from '../home/home.tsx';
import { useSight } from '../home/sight.ts';
import { Inbox } from '../inbox/inbox.tsx';
import { Palette } from '../palette/palette.tsx';
import { SearchDialog } from '../search/search-dialog.tsx';
import { Settings } from '../settings/settings.tsx';
import { SpaceDialogs } from '../spaces/space-dialogs.tsx';
import { type Route, useRoute } from '../state/route.ts';
import { askNewAgent, useScreen } from '../state/screen.ts';
import { useLine } from '../state/subscriptions.ts';
import { WorkPage } from '../work/work-page.tsx';
import { Banners } from './banners.tsx';
import { useFrameKeys } from './frame-keys.ts';
import { Rail } from './rail.tsx';
import { StatusLine } from './status-line.tsx';
import { useTitle } from './use-title.ts';

const hasList = (route: Route): boolean => route.view === 'chat' || route.view === 'agents';
const isOpen = (route: Route): boolean =>
  route.view === 'chat' ? route.room !== null : route.view === 'agents' ? route.agent !== null : true;

/** Rail, list, content, status line; the list gives way on narrow windows. */
export function Frame() {
  const route = useRoute((state) => state.route);
  const creating = useScreen((screen) => screen.creating);
  const lost = useLine() === 'lost';
  useFrameKeys();
  useNoStrayDrops();
  useSight();
  useTitle(route);
  const shape = `frame${lost ? ' is-stale' : ''}${hasList(route) ? ' has-list' : ''}${isOpen(route) ? ' is-open' : ''}`;
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
      <SpaceDialogs />
      <SearchDialog />
      <MakeReal />
      <Palette />
      {creating && <CreateAgent onClose={() => askNewAgent(false)} />}
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
      return route.room === null ? <NoRoomChosen /> : <ChatPage key={route.room} roomId={route.room} />;
    case 'agents':
      return route.agent === null ? <NoAgentChosen /> : <AgentPage key={route.agent} id={route.agent} />;
  }
}

import { useEffect } from 'react';
import { openSearch } from '../search/search-state.ts';
import { go, type Route, useRoute } from '../state/route.ts';
import { openInspector, showServerView, useScreen } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Where Alt+1 to Alt+6 lead, in the order of the rail. */
export const railRoutes: readonly Route[] = [
  { view: 'home' },
  { view: 'chat', room: null },
  { view: 'agents', agent: null },
  { view: 'inbox', id: null },
  { view: 'work', place: null },
  { view: 'settings' },
];

/** Escape steps back out of what slid in; Alt and a digit change the view; Ctrl+K and Ctrl+F search. */
export function useFrameKeys(): void {
  const replica = useReplica();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) stepBack();
      if (isSearch(event)) search(event);
      const route = event.altKey && !event.ctrlKey ? railRoutes[Number(event.key) - 1] : undefined;
      if (route === undefined) return;
      event.preventDefault();
      openRail(route, Object.keys(replica.rooms.store.getState().state?.rooms ?? {}));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [replica]);
}

/** Ctrl or Command with F looks in the open room, with K everywhere. Where no room is open, F is the browser's own. */
function isSearch(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const key = event.key.toLowerCase();
  return (key === 'k' || (key === 'f' && openRoom() !== null)) && document.querySelector('.dialog') === null;
}

function search(event: KeyboardEvent): void {
  event.preventDefault();
  openSearch(event.key.toLowerCase() === 'f' ? openRoom() : null);
}

function openRoom(): string | null {
  const { route } = useRoute.getState();
  return route.view === 'chat' ? route.room : null;
}

function stepBack(): void {
  const { inspector, serverView } = useScreen.getState();
  if (inspector !== null) openInspector(null);
  else if (serverView) showServerView(false);
}

let lastRoom: string | null = null;

/** The room chat returns to; forgotten with the page. */
export function rememberRoom(id: string): void {
  lastRoom = id;
}

const wide = (): boolean => window.matchMedia('(min-width: 720px)').matches;

export function openRail(route: Route, rooms: readonly string[]): void {
  if (route.view !== 'chat' || !wide()) {
    go(route);
    return;
  }
  const known = lastRoom !== null && rooms.includes(lastRoom) ? lastRoom : (rooms[0] ?? null);
  go({ view: 'chat', room: known });
}

/** Opens the views of the rail; chat returns to the last open room. */
import { useSyncExternalStore } from 'react';
import { go, type Route } from '../state/route.ts';

/** People are reached from the chat. */
export type RailRoute = Exclude<Route, { readonly view: 'people' }>;

/** Targets of Alt+1 to Alt+6, in the order of the rail. */
export const railRoutes: readonly RailRoute[] = [
  { view: 'home' },
  { view: 'chat', room: null },
  { view: 'agents', agent: null },
  { view: 'inbox', id: null },
  { view: 'work', place: null },
  { view: 'settings' },
];

let lastRoom: string | null = null;
let rooms: () => readonly string[] = () => [];

/** Remembers the room that chat returns to, in memory only. */
export function rememberRoom(id: string): void {
  lastRoom = id;
}

export function knowRooms(now: () => readonly string[]): void {
  rooms = now;
}

const wide = window.matchMedia('(min-width: 720px)');

function onWidth(changed: () => void): () => void {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}

/** The window shows a list or a page, not both. */
export const useIsNarrow = (): boolean => !useSyncExternalStore(onWidth, () => wide.matches);

export function openView(view: Route['view']): void {
  const route = railRoutes.find((one) => one.view === view) ?? { view: 'home' };
  if (route.view !== 'chat' || !wide.matches) {
    go(route);
    return;
  }
  const known = rooms();
  go({ view: 'chat', room: lastRoom !== null && known.includes(lastRoom) ? lastRoom : (known[0] ?? null) });
}

/** The current page, kept in the address so that back, forward and reload work. */
import { create } from 'zustand';

export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'chat'; readonly room: string | null }
  | { readonly view: 'agents'; readonly agent: string | null }
  /** `person` is a handle; `null` is the list of all. Not on the rail. */
  | { readonly view: 'people'; readonly person: string | null }
  /** `id` is the approval to show, if a link named one. */
  | { readonly view: 'inbox'; readonly id: string | null }
  /** `place` is a tab, task, run or turn, parsed by `work/places.ts`; `null` is the list of tasks. */
  | { readonly view: 'work'; readonly place: string | null }
  /** `section` is absent for the first section. */
  | { readonly view: 'settings'; readonly section?: string | null };

export function parseRoute(hash: string): Route {
  const [view, rest] = hash.replace(/^#\/?/, '').split('/', 2);
  const id = rest === undefined || rest === '' ? null : safeDecode(rest);
  if (view === 'chat') return { view, room: id };
  if (view === 'agents') return { view, agent: id };
  if (view === 'people') return { view, person: id };
  if (view === 'inbox') return { view, id };
  if (view === 'work') return { view, place: id };
  if (view === 'settings') return { view, section: id };
  return { view: 'home' };
}

export function routeHash(route: Route): string {
  const id = placeIn(route);
  return id === null ? `#/${route.view}` : `#/${route.view}/${encodeURIComponent(id)}`;
}

function placeIn(route: Route): string | null {
  switch (route.view) {
    case 'chat':
      return route.room;
    case 'agents':
      return route.agent;
    case 'people':
      return route.person;
    case 'inbox':
      return route.id;
    case 'work':
      return route.place;
    case 'settings':
      return route.section ?? null;
    case 'home':
      return null;
  }
}

function safeDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const useRoute = create<{ route: Route }>(() => ({ route: parseRoute(location.hash) }));

window.addEventListener('hashchange', () => {
  // An invite link only opens a dialog (`app-window.ts`), so the page below it stays.
  if (location.hash !== '#/join') useRoute.setState({ route: parseRoute(location.hash) });
});

export function go(route: Route): void {
  const hash = routeHash(route);
  if (location.hash !== hash) location.hash = hash;
}

/** Views as lazy chunks, each loaded when it is first opened or while the page is idle. */
import { type LatePart, latePart } from '../lazy/lazy-part.tsx';
import { WaitingDialog, WaitingList, WaitingPage } from '../lazy/waiting.tsx';
import type { Route } from '../state/route.ts';

export const LazyHome = latePart(async () => (await import('../home/home.tsx')).Home, WaitingPage);
export const LazyInbox = latePart(async () => (await import('../inbox/inbox.tsx')).Inbox, WaitingPage);
export const LazyWorkPage = latePart(
  async () => (await import('../work/work-page.tsx')).WorkPage,
  WaitingPage,
);
export const LazySettings = latePart(
  async () => (await import('../settings/settings.tsx')).Settings,
  WaitingPage,
);
export const LazyRoomsList = latePart(
  async () => (await import('../chat/rooms-list.tsx')).RoomsList,
  WaitingList,
);
export const LazyChatPlace = latePart(
  async () => (await import('../chat/chat-route.tsx')).ChatRoute,
  WaitingPage,
);
export const LazyAgentsList = latePart(
  async () => (await import('../agents/agents-list.tsx')).AgentsList,
  WaitingList,
);
export const LazyAgentPlace = latePart(
  async () => (await import('../agents/agent-route.tsx')).AgentRoute,
  WaitingPage,
);

export const LazyPeoplePlace = latePart(
  async () => (await import('../people/people-page.tsx')).PeoplePlace,
  WaitingPage,
);

export const LazyCreateAgent = latePart(
  async () => (await import('../agents/create-agent.tsx')).CreateAgent,
  WaitingDialog,
);
export const LazySpaceDialogs = latePart(
  async () => (await import('../spaces/space-dialogs.tsx')).SpaceDialogs,
  WaitingDialog,
);
export const LazySearchDialog = latePart(
  async () => (await import('../search/search-dialog.tsx')).SearchDialog,
  WaitingDialog,
);
export const LazyMakeReal = latePart(
  async () => (await import('../first-run/make-real.tsx')).MakeReal,
  WaitingDialog,
);
export const LazyPalette = latePart(
  async () => (await import('../palette/palette.tsx')).Palette,
  WaitingDialog,
);

type Prefetched = Pick<LatePart<never>, 'prefetch'>;

const ofView: Readonly<Record<Route['view'], readonly Prefetched[]>> = {
  home: [LazyHome],
  chat: [LazyRoomsList, LazyChatPlace],
  agents: [LazyAgentsList, LazyAgentPlace],
  people: [LazyPeoplePlace],
  inbox: [LazyInbox],
  work: [LazyWorkPage],
  settings: [LazySettings],
};
const dialogs: readonly Prefetched[] = [
  LazyPalette,
  LazySearchDialog,
  LazySpaceDialogs,
  LazyCreateAgent,
  LazyMakeReal,
];

/** Ignores a failed prefetch; opening the view retries it and shows the error. */
const quietly = (part: Prefetched): Promise<void> => part.prefetch().catch(() => undefined);

/** Loads the first view's chunk while the host connection is still opening. */
export function prefetchView({ view }: Route): void {
  for (const part of ofView[view]) void quietly(part);
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    requestIdleCallback(() => resolve());
  });

/**
 * Loads all other chunks one after the other, so that opening a view needs no wait. Dialogs come first,
 * because users type into them at once.
 */
export async function prefetchRest(): Promise<void> {
  for (const part of [...dialogs, ...Object.values(ofView).flat()]) {
    await idle();
    await quietly(part);
  }
}

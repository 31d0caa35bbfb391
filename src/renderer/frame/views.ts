/** Views as lazy chunks, each loaded when it is first opened or while the page is idle. */
import { type LatePart, latePart } from '../late/late-part.tsx';
import { WaitingDialog, WaitingList, WaitingPage } from '../late/waiting.tsx';
import type { Route } from '../state/route.ts';

export const Home = latePart(async () => (await import('../home/home.tsx')).Home, WaitingPage);
export const Inbox = latePart(async () => (await import('../inbox/inbox.tsx')).Inbox, WaitingPage);
export const WorkPage = latePart(async () => (await import('../work/work-page.tsx')).WorkPage, WaitingPage);
export const Settings = latePart(
  async () => (await import('../settings/settings.tsx')).Settings,
  WaitingPage,
);
export const ChatList = latePart(async () => (await import('../chat/rooms-list.tsx')).RoomsList, WaitingList);
export const ChatPlace = latePart(
  async () => (await import('../chat/chat-place.tsx')).ChatPlace,
  WaitingPage,
);
export const AgentsList = latePart(
  async () => (await import('../agents/agents-list.tsx')).AgentsList,
  WaitingList,
);
export const AgentPlace = latePart(
  async () => (await import('../agents/agent-place.tsx')).AgentPlace,
  WaitingPage,
);

export const CreateAgent = latePart(
  async () => (await import('../agents/create-agent.tsx')).CreateAgent,
  WaitingDialog,
);
export const SpaceDialogs = latePart(
  async () => (await import('../spaces/space-dialogs.tsx')).SpaceDialogs,
  WaitingDialog,
);
export const SearchDialog = latePart(
  async () => (await import('../search/search-dialog.tsx')).SearchDialog,
  WaitingDialog,
);
export const MakeReal = latePart(
  async () => (await import('../first-run/make-real.tsx')).MakeReal,
  WaitingDialog,
);
export const Palette = latePart(async () => (await import('../palette/palette.tsx')).Palette, WaitingDialog);

type Prefetched = Pick<LatePart<never>, 'prefetch'>;

const ofView: Readonly<Record<Route['view'], readonly Prefetched[]>> = {
  home: [Home],
  chat: [ChatList, ChatPlace],
  agents: [AgentsList, AgentPlace],
  inbox: [Inbox],
  work: [WorkPage],
  settings: [Settings],
};
const dialogs: readonly Prefetched[] = [Palette, SearchDialog, SpaceDialogs, CreateAgent, MakeReal];

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

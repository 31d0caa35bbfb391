/** Commands available from any page, by name or shortcut, limited to those that apply now. */
import { countUnread } from '../../contract/count-unread.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { askImport } from '../agents/moving/import-state.ts';
import { startConversation } from '../chat/conversations.ts';
import { lockMethod } from '../client/link.ts';
import { askMakeReal } from '../first-run/make-real-state.ts';
import type { IconName } from '../mark/icon.tsx';
import { openSearch } from '../search/search-state.ts';
import { settingsParts } from '../settings/settings-parts.ts';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { act } from '../state/action.ts';
import { setPreferences, usePreferences } from '../state/preferences.ts';
import { go, type Route, useRoute } from '../state/route.ts';
import { askNewAgent, showServerView, useScreen } from '../state/screen.ts';
import type { Replica } from '../state/subscriptions.ts';
import { askNewTask } from '../tasks/ask-task.ts';
import { activityParts, tabPlace, workTabs } from '../work/work-address.ts';
import { goToWorkflows } from '../workflows/addresses.ts';
import { askNewWorkflow } from '../workflows/new-file-state.ts';
import { showInWorkflows } from '../workflows/open-list.ts';
import { showPalette } from './palette-state.ts';
import type { ShortcutId } from './shortcuts.ts';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  /** Tells entries of one title apart, e.g. a handle. */
  readonly detail?: string;
  readonly icon: IconName;
  readonly keys?: ShortcutId;
  run(replica: Replica): void;
}

const openRoom = (): string | null => {
  const { route } = useRoute.getState();
  return route.view === 'chat' ? route.room : null;
};

const place = (
  id: ShortcutId & Route['view'],
  title: string,
  open: (id: Route['view']) => void,
): PaletteCommand => ({
  id,
  title,
  icon: id,
  keys: id,
  run: () => open(id),
});

export const places = (open: (view: Route['view']) => void): readonly PaletteCommand[] => [
  place('home', t('palette.home'), open),
  place('chat', t('palette.chat'), open),
  place('agents', t('palette.agents'), open),
  place('inbox', t('palette.inbox'), open),
  place('work', t('palette.work'), open),
  place('settings', t('palette.settings'), open),
];

const settingsActions = (): readonly PaletteCommand[] =>
  settingsParts.map((part) => ({
    id: `settings ${part}`,
    icon: 'settings',
    title: t('palette.settingsPart', { part: t(`settings.${part}`) }),
    run: () => go({ view: 'settings', section: part }),
  }));

function goNextUnread({ rooms }: Replica): void {
  const view = rooms.store.getState().state;
  if (view === null) return;
  const next = Object.values(view.rooms).find(
    (room) => countUnread(view, room) > 0 && room.id !== openRoom(),
  );
  if (next) go({ view: 'chat', room: next.id });
}

async function forAll(replica: Replica, what: 'agents.pause' | 'agents.resume'): Promise<void> {
  const paused = what === 'agents.resume';
  for (const agent of Object.values(replica.agents.store.getState().state ?? {}))
    if ((agent.life === 'paused') === paused) await act(replica.link, what, { agent: agent.id });
}

const inRoom = (): readonly PaletteCommand[] => [
  {
    id: 'searchHere',
    title: t('palette.searchHere'),
    icon: 'search',
    keys: 'searchHere',
    run: () => openSearch(openRoom()),
  },
  {
    id: 'serverView',
    title: t('palette.serverView'),
    icon: 'eye',
    run: () => showServerView(!useScreen.getState().serverView),
  },
];

const inDirectMessage = (roomId: string): readonly PaletteCommand[] => [
  {
    id: 'newConversation',
    title: t('conversations.new'),
    icon: 'plus',
    run: ({ link }) => void startConversation(link, roomId),
  },
];

const chatActions = (): readonly PaletteCommand[] => [
  { id: 'search', title: t('palette.search'), icon: 'search', keys: 'search', run: () => openSearch(null) },
  ...(openRoom() === null ? [] : inRoom()),
  ...(dmSlug(openRoom() ?? '') === null ? [] : inDirectMessage(openRoom() ?? '')),
  {
    id: 'nextUnread',
    title: t('palette.nextUnread'),
    icon: 'chat',
    keys: 'nextUnread',
    run: goNextUnread,
  },
  {
    id: 'people',
    title: t('palette.people'),
    icon: 'people',
    run: () => go({ view: 'people', person: null }),
  },
  {
    id: 'newMessage',
    title: t('people.newMessage'),
    icon: 'pencil',
    run: () => openSpaceDialog({ type: 'new-message' }),
  },
  {
    id: 'newSpace',
    title: t('palette.newSpace'),
    icon: 'plus',
    run: () => openSpaceDialog({ type: 'new-space' }),
  },
  {
    id: 'joinSpace',
    title: t('spaces.joinByLink'),
    icon: 'people',
    run: () => openSpaceDialog({ type: 'join' }),
  },
];

const agentActions = (): readonly PaletteCommand[] => [
  {
    id: 'newAgent',
    title: t('palette.newAgent'),
    icon: 'plus',
    keys: 'newAgent',
    run: () => {
      go({ view: 'agents', agent: null });
      askNewAgent(true);
    },
  },
  {
    id: 'import',
    title: t('palette.import'),
    icon: 'download',
    run: () => {
      go({ view: 'agents', agent: null });
      askImport(true);
    },
  },
  {
    id: 'makeReal',
    title: t('palette.makeReal'),
    icon: 'play',
    run: ({ agents }) => {
      const all = Object.values(agents.store.getState().state ?? {});
      askMakeReal((all.find((agent) => agent.scripted) ?? all[0])?.id ?? null);
    },
  },
  {
    id: 'pauseAll',
    title: t('palette.pauseAll'),
    icon: 'pause',
    run: (replica) => void forAll(replica, 'agents.pause'),
  },
  {
    id: 'resumeAll',
    title: t('palette.resumeAll'),
    icon: 'play',
    run: (replica) => void forAll(replica, 'agents.resume'),
  },
];

const workActions = (): readonly PaletteCommand[] => [
  { id: 'newTask', title: t('palette.newTask'), icon: 'plus', keys: 'newTask', run: askNewTask },
  ...[
    ...workTabs.map((tab) => [tab, tabPlace(tab)] as const),
    ...activityParts.map((part) => [part, part] as const),
  ].map(
    ([part, place]): PaletteCommand => ({
      id: `work ${part}`,
      icon: 'work',
      title: t('palette.workPart', { part: t(`work.${part}`) }),
      run: () => go({ view: 'work', place }),
    }),
  ),
  {
    id: 'newWorkflow',
    title: t('workflows.commandNew'),
    icon: 'plus',
    run: () => {
      showInWorkflows('files');
      goToWorkflows();
      askNewWorkflow(true);
    },
  },
  {
    id: 'runsHistory',
    title: t('workflows.commandHistory'),
    icon: 'work',
    run: () => {
      showInWorkflows('runs');
      goToWorkflows();
    },
  },
];

const lookActions = (): readonly PaletteCommand[] => [
  ...(['system', 'light', 'dark', 'contrast'] as const).map(
    (theme): PaletteCommand => ({
      id: `theme ${theme}`,
      title: t('palette.theme', { theme: t(`look.${theme}`) }),
      icon: 'eye',
      run: () => setPreferences({ theme }),
    }),
  ),
  {
    id: 'density',
    title: t('palette.density'),
    icon: 'minus',
    run: () =>
      setPreferences({
        density: usePreferences.getState().density === 'compact' ? 'comfortable' : 'compact',
      }),
  },
  ...(['en', 'de'] as const).map(
    (language): PaletteCommand => ({
      id: `language ${language}`,
      title: t(`palette.language_${language}`),
      icon: 'chat',
      run: () => setPreferences({ language }),
    }),
  ),
];

const sessionActions = ({ link }: Replica): readonly PaletteCommand[] => [
  {
    id: 'lock',
    title: t('palette.lock'),
    icon: 'lock',
    run: () => void act(link, lockMethod(link), {}),
  },
];

export const paletteActions = (replica: Replica): readonly PaletteCommand[] => [
  ...agentActions(),
  ...chatActions(),
  ...workActions(),
  ...lookActions(),
  ...sessionActions(replica),
  ...settingsActions(),
  {
    id: 'sheet',
    title: t('palette.sheet'),
    icon: 'more',
    keys: 'sheet',
    run: () => showPalette('sheet'),
  },
];

import { useMemo } from 'react';
import { t } from '../../language/texts.ts';
import { roomLabel } from '../chat/conversations.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { openView } from '../frame/open-view.ts';
import { openSearch, setWords } from '../search/search-state.ts';
import { go } from '../state/route.ts';
import { useAgents, useReplica, useRooms } from '../state/subscriptions.ts';
import { listOf } from '../tasks/board-state.ts';
import { openTask } from '../tasks/open-task.ts';
import { goalTitle } from '../tasks/task-state-text.ts';
import { useTasks } from '../tasks/use-tasks.ts';
import { goToRun } from '../workflows/addresses.ts';
import { useOpenRuns } from '../workflows/use-runs.ts';
import { type PaletteCommand, paletteActions, places } from './commands.ts';

export interface Group {
  readonly title: string;
  readonly entries: readonly PaletteCommand[];
}

/** Limit of entries per group; further typing narrows the rest. */
const mostOfAKind = 8;

/** Each typed word must be a prefix of a word in the title. */
export function fits(title: string, wanted: string): boolean {
  const words = title.toLocaleLowerCase().split(/[\s#@:,.()/-]+/);
  return wanted
    .toLocaleLowerCase()
    .split(/[\s#@]+/)
    .filter((word) => word !== '')
    .every((word) => words.some((one) => one.startsWith(word)));
}

function useRoomEntries(): readonly PaletteCommand[] {
  const rooms = useRooms((view) => view?.rooms);
  return useMemo(
    () =>
      Object.values(rooms ?? {})
        .sort((a, b) => b.unread - a.unread || (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0))
        .map((room) => ({
          id: `room ${room.id}`,
          title: roomLabel(room),
          icon: 'chat',
          run: () => go({ view: 'chat', room: room.id }),
        })),
    [rooms],
  );
}

function useAgentEntries(): readonly PaletteCommand[] {
  const agents = useAgents((all) => all);
  return useMemo(
    () =>
      Object.values(agents ?? {})
        .sort((a, b) => byWords(a.displayName, b.displayName))
        .map((agent) => ({
          id: `agent ${agent.id}`,
          title: visibleLine(agent.displayName),
          icon: 'agents',
          run: () => go({ view: 'agents', agent: agent.id }),
        })),
    [agents],
  );
}

/** Tasks that are not finished; those that need the operator come first. */
function useTaskEntries(): readonly PaletteCommand[] {
  const tasks = useTasks();
  return useMemo(
    () =>
      listOf(tasks ?? [], Date.now())
        .filter(({ status }) => status !== 'done' && status !== 'error')
        .map((task) => ({
          id: `task ${task.id}`,
          title: t('palette.task', { number: String(task.id), goal: goalTitle(task.goal) }),
          icon: 'work',
          run: () => openTask(task.id),
        })),
    [tasks],
  );
}

/** Workflow runs that are active or waiting. */
const useRunEntries = (): readonly PaletteCommand[] =>
  useOpenRuns().map((run) => ({
    id: `run ${run.id}`,
    title: t('workflows.commandRun', { name: visibleLine(run.name) }),
    icon: 'work',
    run: () => goToRun(run.id),
  }));

const inMessages = (words: string): PaletteCommand => ({
  id: 'inMessages',
  title: t('palette.inMessages', { words: visibleLine(words) }),
  icon: 'search',
  run: () => {
    openSearch(null);
    setWords(words);
  },
});

/** Entries matching the typed text, grouped by kind; all entries if it is empty. */
export function useEntries(typed: string): readonly Group[] {
  const replica = useReplica();
  const rooms = useRoomEntries();
  const agents = useAgentEntries();
  const tasks = useTaskEntries();
  const runs = useRunEntries();
  const wanted = typed.trim();
  const chosen = (
    entries: readonly PaletteCommand[],
    most = Number.POSITIVE_INFINITY,
  ): readonly PaletteCommand[] => entries.filter(({ title }) => fits(title, wanted)).slice(0, most);
  const groups: readonly Group[] = [
    { title: t('palette.places'), entries: chosen(places(openView)) },
    { title: t('palette.rooms'), entries: chosen(rooms, mostOfAKind) },
    { title: t('palette.yourAgents'), entries: chosen(agents, mostOfAKind) },
    { title: t('palette.tasks'), entries: chosen(tasks, mostOfAKind) },
    { title: t('workflows.homeTitle'), entries: chosen(runs, mostOfAKind) },
    { title: t('palette.actions'), entries: chosen(paletteActions(replica)) },
    { title: t('palette.messages'), entries: wanted === '' ? [] : [inMessages(wanted)] },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

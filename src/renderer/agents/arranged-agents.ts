/** Rows of the list of agents: filtered, sorted and grouped as chosen. */
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { AgentSummary, RoomsView } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { byUrgency, dotWords, urgency } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type Arrangement, arrange, byLatest, bySpend, type GroupName } from '../lists/arrange.ts';
import { type Arranged, usePreferences } from '../state/preferences.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';

/** Headings and rows without the agents themselves, so that a change of an agent renders its row only. */
export interface AgentItem {
  readonly kind: 'head' | 'row';
  readonly key: string;
  readonly title: string;
  readonly count: number;
}

const matches = (agent: AgentSummary, wanted: string): boolean =>
  [agent.id, agent.slug ?? '', agent.displayName, agent.role].some((text) =>
    text.toLowerCase().includes(wanted),
  );

const byName = (a: AgentSummary, b: AgentSummary): number =>
  byWords(a.displayName, b.displayName) || byWords(a.id, b.id);

const compareBy: Readonly<Record<Arranged<'agents'>['sort'], (a: AgentSummary, b: AgentSummary) => number>> =
  {
    name: byName,
    state: (a, b) => byUrgency(a.dot, b.dot) || byName(a, b),
    activity: byLatest((agent) => agent.lastEventAt ?? 0, byName),
    spend: bySpend(({ spentToday }) => spentToday, byName),
  };

const stateOf = ({ life, dot }: AgentSummary): GroupName =>
  life === 'paused' ? { key: 'paused', title: t('states.life_paused') } : { key: dot, title: dotWords(dot) };

const stateOrder: readonly string[] = [...urgency.filter((dot) => dot !== 'offline'), 'paused', 'offline'];

type SpaceOf = (agent: AgentSummary) => GroupName;

/** The first space by name in which the agent is a member of a channel. */
function spacesOf(view: RoomsView | null): SpaceOf {
  const none = { key: '', title: t('lists.noSpace') };
  const spaces = [...(view?.spaces ?? [])].sort((a, b) => byWords(a.name, b.name));
  const found = new Map<string, GroupName>();
  for (const { id, name } of spaces.reverse())
    for (const room of Object.values(view?.rooms ?? {}))
      if (room.spaceId === id)
        for (const { slug } of room.members) found.set(slug, { key: id, title: visibleLine(name) });
  return ({ slug }) => found.get(slug ?? '') ?? none;
}

function arrangement({ sort, group }: Arranged<'agents'>, spaceOf: SpaceOf): Arrangement<AgentSummary> {
  const isByState = group === 'state';
  return {
    keyOf: ({ id }) => id,
    compare: compareBy[sort],
    groupOf: group === 'none' ? null : isByState ? stateOf : spaceOf,
    compareGroups: (a, b) =>
      isByState
        ? stateOrder.indexOf(a.key) - stateOrder.indexOf(b.key)
        : Number(a.key === '') - Number(b.key === '') || byWords(a.title, b.title),
  };
}

const isSame = (a: readonly AgentItem[], b: readonly AgentItem[]): boolean =>
  a.length === b.length &&
  a.every(({ key, title, count }, index) => {
    const other = b[index];
    return key === other?.key && title === other.title && count === other.count;
  });

/** Returns the same array until the order, a heading or the search changes. */
export function useArrangedAgents(search: string): readonly AgentItem[] {
  const { agents } = useReplica();
  const chosen = usePreferences(({ lists }) => lists.agents);
  const rooms = useRooms((view) => (chosen.group === 'space' ? view : null));
  const by = useMemo(() => arrangement(chosen, spacesOf(rooms)), [chosen, rooms]);
  const before = useRef<readonly AgentItem[]>([]);
  const wanted = search.trim().toLowerCase();
  return useStore(agents.store, ({ state }) => {
    const found = Object.values(state ?? {}).filter((agent) => matches(agent, wanted));
    const next = arrange(found, by).map(
      (item): AgentItem =>
        item.kind === 'head' ? item : { kind: 'row', key: item.key, title: '', count: 0 },
    );
    if (!isSame(before.current, next)) before.current = next;
    return before.current;
  });
}

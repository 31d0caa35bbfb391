/** Order, groups and actions of a list of turns. */
import type { HostClient } from '../../contract/host-api.ts';
import { turnTime } from '../../contract/turn-time.ts';
import type { TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type Arrangement, byLatest, bySpend, type GroupName } from '../lists/arrange.ts';
import type { BulkAction } from '../lists/bulk.ts';
import type { Arranged } from '../state/preferences.ts';
import { stateWords } from './turn-text.ts';

/** Turns that need the operator come first, then running ones. */
const order: readonly string[] = [
  'waiting',
  'running',
  'held',
  'failed',
  'stopped',
  'done',
  'silent',
] satisfies TurnState[];

type Compare = (a: TurnSummary, b: TurnSummary) => number;

const byNewest: Compare = (a, b) => b.startedAt - a.startedAt;
/** A turn that still runs counts as the longest. */
const took = (turn: TurnSummary): number =>
  turn.endedAt === null ? Number.MAX_SAFE_INTEGER : turnTime(turn, turn.endedAt).workMs;

const compareBy: Readonly<Record<Arranged<'turns'>['sort'], Compare | null>> = {
  default: null,
  name: (a, b) => byWords(a.agentName, b.agentName) || byNewest(a, b),
  state: (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || byNewest(a, b),
  took: byLatest(took, byNewest),
  spend: bySpend(({ spend }) => spend, byNewest),
};

const groupBy: Readonly<
  Record<Exclude<Arranged<'turns'>['group'], 'none'>, (turn: TurnSummary) => GroupName>
> = {
  state: ({ state }) => ({ key: state, title: stateWords(state) }),
  agent: ({ agentId, agentName }) => ({ key: agentId, title: visibleLine(agentName) }),
  room: ({ roomId, roomName }) => ({ key: roomId ?? roomName, title: visibleLine(roomName) }),
};

export function turnArrangement({ sort, group }: Arranged<'turns'>): Arrangement<TurnSummary> {
  const rank = ({ key }: GroupName): number => order.indexOf(key);
  return {
    keyOf: ({ id }) => id,
    compare: compareBy[sort],
    groupOf: group === 'none' ? null : groupBy[group],
    compareGroups: (a, b) => (group === 'state' ? rank(a) - rank(b) : byWords(a.title, b.title)),
  };
}

export const turnActions = (link: HostClient): readonly BulkAction<TurnSummary>[] => [
  {
    key: 'stop',
    icon: 'stop',
    label: t('work.stop'),
    fits: ({ state }) => state === 'running' || state === 'waiting',
    run: ({ id, agentId }) => link.call('agents.stop', { agent: agentId, turn: id }),
    done: (n) => t('work.stoppedMany', { n }),
  },
];

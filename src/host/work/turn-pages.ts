import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TurnState, TurnSummary } from '../../contract/work-methods.ts';
import type { TurnQuery, TurnRecord } from '../../core/agents/turn-records.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { nameOfAgent } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { LiveWork } from './live-work.ts';
import type { TurnStores } from './turn-stores.ts';
import type { TurnViews } from './turn-view.ts';

type Input = MethodParsed<'work.turns'>;
type Page = MethodOutput<'work.turns'>;

/** Stored statuses of these states; the states of open turns differ only while they are live. */
const statusesOf = (states: readonly TurnState[]): readonly TurnRecord['status'][] => [
  ...new Set(
    states.map((state) =>
      state === 'running' || state === 'waiting' || state === 'held' ? ('open' as const) : state,
    ),
  ),
];

const cursorOf = ({ startedAt, id }: TurnSummary): string => `${startedAt} ${id}`;

function beforeOf(cursor: string | undefined): Pick<TurnQuery, 'before'> {
  const space = cursor?.indexOf(' ') ?? -1;
  if (cursor === undefined || space < 0) return {};
  const startedAt = Number(cursor.slice(0, space));
  return Number.isFinite(startedAt) ? { before: { startedAt, turnId: cursor.slice(space + 1) } } : {};
}

const newestFirst = (a: TurnSummary, b: TurnSummary): number =>
  b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);

export interface TurnPagesDeps {
  readonly agents: AgentStore;
  readonly clock: Clock;
  readonly stores: TurnStores;
  readonly views: TurnViews;
  readonly live: Pick<LiveWork, 'lastBegun'>;
  refreshRooms(): unknown;
}

/** Reads agents by latest turn first, so that a page skips agents whose turns are all older. */
export class TurnPages {
  readonly #deps: TurnPagesDeps;
  readonly #newest = new Map<string, number>();

  constructor(deps: TurnPagesDeps) {
    this.#deps = deps;
  }

  async read(input: Input): Promise<Result<Page>> {
    const { agents, clock } = this.#deps;
    const found = input.agent === undefined ? null : findAgent(agents, input.agent);
    if (found && !found.ok) return found;
    const all = found ? [found.value] : agents.list();
    this.#deps.refreshRooms();
    const turns: TurnSummary[] = [];
    const closed: Page['closed'] = [];
    const byNewest = all
      .map((agent) => ({ agent, newest: this.#newestOf(agent.id) }))
      .sort((a, b) => b.newest - a.newest);
    for (const [index, { agent, newest }] of byNewest.entries()) {
      const last = turns.length > input.limit ? turns[input.limit] : undefined;
      if (last && newest < last.startedAt) break;
      const read = await this.#ofAgent(agent, input);
      if (!read.ok)
        closed.push({ agentId: agent.id, agentName: nameOfAgent(agent), text: read.error.message });
      else turns.push(...read.value);
      turns.sort(newestFirst).splice(input.limit + 1);
      // Yields to the event loop.
      if (index % 8 === 7) await new Promise<void>((resolve) => clock.after(0, resolve));
    }
    const page = turns.slice(0, input.limit);
    const last = page.at(-1);
    const next = turns.length > input.limit && last ? cursorOf(last) : null;
    return ok({ turns: page, next, closed });
  }

  #newestOf(agentId: string): number {
    const begun = this.#deps.live.lastBegun(agentId) ?? 0;
    return Math.max(begun, this.#newest.get(agentId) ?? Number.MAX_SAFE_INTEGER);
  }

  async #ofAgent(agent: LoadedAgent, input: Input): Promise<Result<readonly TurnSummary[]>> {
    const { states, room, since, until, limit } = input;
    const { stores, views } = this.#deps;
    const query: TurnQuery = {
      ...beforeOf(input.before),
      ...(states ? { statuses: statusesOf(states) } : {}),
      ...(room === undefined ? {} : { roomId: views.agentRoom(agent, room) }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      limit: limit + 1,
    };
    const read = await stores.read(agent, (store) => {
      this.#newest.set(agent.id, store.turns.list({ limit: 1 })[0]?.startedAt ?? 0);
      return views.summaries(agent, store, store.turns.list(query));
    });
    if (!read.ok) return err(read.error);
    return ok((read.value ?? []).filter(({ state }) => !states || states.includes(state)));
  }
}

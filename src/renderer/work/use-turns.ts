/** List of turns: pages of ended ones from the host, and live updates of open ones. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRunning } from './use-running.ts';

export type StateChoice = 'all' | 'open' | 'done' | 'silent' | 'failed' | 'stopped';
export type TimeChoice = 'any' | 'hour' | 'day' | 'week';

export interface WantedTurns {
  /** Empty for all. */
  readonly agent: string;
  readonly room: string;
  readonly state: StateChoice;
  readonly time: TimeChoice;
}

export const allTurns: WantedTurns = { agent: '', room: '', state: 'all', time: 'any' };
export const hasTurnFilter = ({ agent, room, state, time }: WantedTurns): boolean =>
  agent !== '' || room !== '' || state !== 'all' || time !== 'any';

const openStates: readonly TurnState[] = ['running', 'waiting', 'held'];
const hour = 3_600_000;
const spans: Record<Exclude<TimeChoice, 'any'>, number> = { hour, day: 24 * hour, week: 168 * hour };

const queryOf = ({ agent, room, state, time }: WantedTurns) => ({
  ...(agent === '' ? {} : { agent }),
  ...(room === '' ? {} : { room }),
  ...(state === 'all' ? {} : { states: state === 'open' ? [...openStates] : [state] }),
  ...(time === 'any' ? {} : { since: Date.now() - spans[time] }),
});

function fits({ agent, room, state }: WantedTurns, turn: TurnSummary): boolean {
  return (
    (agent === '' || turn.agentId === agent) &&
    (room === '' || turn.roomId === room) &&
    (state === 'all' || state === 'open')
  );
}

type Closed = MethodOutput<'work.turns'>['closed'];

export interface Turns {
  /** `null` until the first page arrives. */
  readonly turns: readonly TurnSummary[] | null;
  readonly closed: Closed;
  readonly error: AppError | null;
  readonly more: boolean;
  older(): void;
}

interface TurnPages {
  /** Cursor of the next page; `null` while a page loads, so that no page loads twice, and after the last one. */
  next: string | null;
}

export function useTurns(wanted: WantedTurns): Turns {
  const { link } = useReplica();
  const running = useRunning();
  const [read, setRead] = useState<readonly TurnSummary[] | null>(null);
  const [closed, setClosed] = useState<Closed>([]);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const current = useRef<TurnPages>({ next: null });
  const load = useCallback(
    async (pages: TurnPages, before: string | null) => {
      pages.next = null;
      const page = await link.call('work.turns', {
        ...queryOf(wanted),
        ...(before === null ? {} : { before }),
      });
      if (current.current !== pages) return;
      setError(page.ok ? null : page.error);
      if (!page.ok) {
        pages.next = before;
        setMore((known) => known && before !== null);
        return;
      }
      const { turns, next } = page.value;
      pages.next = next;
      setRead((known) => (before === null ? turns : [...(known ?? []), ...turns]));
      setClosed(page.value.closed);
      setMore(next !== null);
    },
    [link, wanted],
  );
  /** Changes when a turn starts or ends, which changes the first page. */
  const open = Object.keys(running).sort().join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew when a turn has begun or ended
  useEffect(() => {
    current.current = { next: null };
    void load(current.current, null);
    return () => {
      current.current = { next: null };
    };
  }, [load, open]);
  const older = (): void => {
    const { next } = current.current;
    if (next !== null) void load(current.current, next);
  };
  const turns = useMemo(() => {
    if (read === null) return null;
    const fresh = Object.values(running).filter((turn) => fits(wanted, turn));
    const ids = new Set(read.map(({ id }) => id));
    const known = read.map((turn) => running[turn.id] ?? turn);
    return [...fresh.filter(({ id }) => !ids.has(id)), ...known].sort((a, b) => b.startedAt - a.startedAt);
  }, [read, running, wanted]);
  return { turns, closed, error, more, older };
}

import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { locale, t } from '../../language/texts.ts';
import { lasting } from '../format/time.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { useReplica } from '../state/subscriptions.ts';
import { dayLabel } from '../usage/day-bars.tsx';
import { Bars } from './bars.tsx';
import { useTasksView } from './use-tasks.ts';
import { sumOfWaits, waitRanges } from './waits.ts';

type Stats = MethodOutput<'tasks.stats'>;

const days = 30;
/** Debounce in ms, because tasks often end in bursts. */
const pauseMs = 800;

/** Reloads when tasks end. */
function useStats(): { readonly stats: Stats | null; readonly error: AppError | null } {
  const { link } = useReplica();
  const ended = useTasksView((view) => `${view?.counts.done} ${view?.counts.error}`);
  const [stats, setStats] = useState<Stats | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew whenever one has ended
  useEffect(() => {
    let left = false;
    const read = async (): Promise<void> => {
      const found = await link.call('tasks.stats', { days });
      if (left) return;
      if (found.ok) setStats(found.value);
      setError(found.ok ? null : found.error);
    };
    const timer = setTimeout(() => void read(), stats === null ? 0 : pauseMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [link, ended]);
  return { stats, error };
}

export function Figures() {
  const { stats, error } = useStats();
  return (
    <div className="stack">
      <ErrorNote error={error} />
      {stats === null && error === null && <Skeleton />}
      {stats !== null && (
        <div className="two-columns is-even">
          <Throughput days={stats.days} />
          <Waits waits={stats.waits} />
        </div>
      )}
    </div>
  );
}

/** Has the height of the charts, so that the layout does not shift. */
function Skeleton() {
  return (
    <div className="two-columns is-even" role="status">
      <span className="visually-hidden">{t('tasks.reading')}</span>
      {[0, 1].map((plot) => (
        <div key={plot} className="card task-plot-place" aria-hidden="true" />
      ))}
    </div>
  );
}

const plain = (n: number): string => n.toLocaleString(locale());

function Throughput({ days: all }: { days: Stats['days'] }) {
  const sum = (what: 'done' | 'error'): number => all.reduce((total, day) => total + day[what], 0);
  const busy = all.filter((day) => day.added + day.done + day.error > 0);
  return (
    <Bars
      title={t('tasks.doneADay')}
      words={
        busy.length === 0
          ? t('tasks.figuresNone', { days })
          : t('tasks.doneSum', { done: sum('done'), error: sum('error'), days: all.length })
      }
      columns={all.map(({ day, done, error, added }) => ({
        key: day,
        words: t('tasks.figuresDay', { day: dayLabel(day), done, error, added }),
        parts: [
          ['bar-3', done],
          ['bar-2', error],
        ],
      }))}
      ends={[all[0], all.at(-1)].flatMap((day) => (day === undefined ? [] : [dayLabel(day.day)]))}
      legend={[
        ['bar-3', t('tasks.legendDone')],
        ['bar-2', t('tasks.legendError')],
      ]}
      table={[
        [t('tasks.col_day'), t('tasks.col_added'), t('tasks.col_done'), t('tasks.col_error')],
        busy
          .toReversed()
          .map(({ day, added, done, error }) => [dayLabel(day), plain(added), plain(done), plain(error)]),
      ]}
    />
  );
}

function Waits({ waits }: { waits: Stats['waits'] }) {
  const { counts, median, longest } = sumOfWaits(waits);
  const time = (ms: number): string => lasting(0, ms);
  return (
    <Bars
      title={t('tasks.waits')}
      words={
        waits.length === 0
          ? t('tasks.waitsNone')
          : t('tasks.waitsSum', { n: waits.length, median: time(median), longest: time(longest) })
      }
      columns={waitRanges.map((range) => ({
        key: range,
        words: t('tasks.waitsBar', { range: t(`tasks.waits_${range}`), n: counts[range] }),
        parts: [['bar-1', counts[range]]],
      }))}
      ends={waitRanges.map((range) => t(`tasks.waits_${range}`))}
      table={[
        [t('tasks.col_wait'), t('tasks.col_questions')],
        waitRanges.map((range) => [t(`tasks.waits_${range}`), plain(counts[range])]),
      ]}
    />
  );
}

import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { shownUses } from '../../contract/shown-limits.ts';
import type { UsageView } from '../../contract/work.ts';
import { costWords, spendShort, spendWords } from '../../language/money.ts';
import { locale, localizeError, t } from '../../language/texts.ts';
import { go } from '../state/route.ts';
import { useHost, useReplica } from '../state/subscriptions.ts';
import { BudgetBar, limitKey } from '../usage/budget-card.tsx';

const days = 7;
/** Debounce in ms: usage numbers change in bursts while agents work. */
const pauseMs = 800;

function useWeek(): { readonly usage: UsageView | null; readonly error: AppError | null } {
  const { link } = useReplica();
  const spent = useHost((host) => `${host?.spentToday.tokens} ${host?.spentToday.usd}`);
  const [usage, setUsage] = useState<UsageView | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew whenever something was spent
  useEffect(() => {
    let left = false;
    const timer = setTimeout(
      async () => {
        const result = await link.call('usage.get', { days });
        if (left) return;
        if (result.ok) setUsage(result.value);
        setError(result.ok ? null : result.error);
      },
      usage === null ? 0 : pauseMs,
    );
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [link, spent]);
  return { usage, error };
}

/** Today's cost, a chart of the week, and the use of each budget. */
export function Costs() {
  const { usage, error } = useWeek();
  return (
    <section className="card home-costs" aria-labelledby="home-costs">
      <h2 id="home-costs">{t('home.costs')}</h2>
      {usage === null && error === null && (
        <p className="soft home-costs-wait" aria-busy="true">
          {t('home.costsLoading')}
        </p>
      )}
      {usage === null && error !== null && (
        <p className="card-empty">{t('home.costsFailed', { why: localizeError(error) })}</p>
      )}
      {usage !== null && <Numbers usage={usage} />}
      <button
        type="button"
        className="link card-foot"
        onClick={() => go({ view: 'settings', section: 'budget' })}
      >
        {usage?.used.length === 0 ? t('home.setBudget') : t('home.toCosts')}
      </button>
    </section>
  );
}

function Numbers({ usage }: { usage: UsageView }) {
  return (
    <>
      <div className="home-costs-head">
        <dl className="home-sums">
          <div>
            <dt>{t('home.today')}</dt>
            <dd title={spendWords(usage.today)}>{spendShort(usage.today)}</dd>
          </div>
          <div>
            <dt>{t('home.month')}</dt>
            <dd title={spendWords(usage.month)}>{spendShort(usage.month)}</dd>
          </div>
        </dl>
        <Spark week={usage.days} />
      </div>
      {usage.used.length === 0 && <p className="soft">{t('home.noBudget')}</p>}
      {shownUses(usage.used)
        .slice(0, 3)
        .map((use) => (
          <BudgetBar key={limitKey(use)} use={use} />
        ))}
    </>
  );
}

type Day = UsageView['days'][number];

const [width, height] = [140, 40];
const step = width / days;

const tokensOf = (day: Day): number => day.input + day.output + day.cacheRead + day.cacheWrite;

function dayWords(day: Day): string {
  const name = new Date(`${day.day}T12:00:00`).toLocaleDateString(locale(), { weekday: 'short' });
  const tokens = t('amounts.tokens', { count: tokensOf(day) });
  return t('home.dayOfPicture', { day: name, amount: day.usd ? `${costWords(day)}, ${tokens}` : tokens });
}

/** Seven bars, the last one is today. Shows money if all prices are known, otherwise tokens. */
function Spark({ week }: { week: readonly Day[] }) {
  const priced = week.every((day) => day.unpriced === 0) && week.some((day) => (day.usd ?? 0) > 0);
  const value = (day: Day): number => (priced ? (day.usd ?? 0) : tokensOf(day));
  const most = Math.max(...week.map(value), 0);
  const label = t('home.weekPicture', { days: week.map(dayWords).join('; ') });
  return (
    <figure className="home-spark">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {week.map((day, index) => {
          const tall = most === 0 ? 0 : (value(day) / most) * (height - 2);
          const drawn = Math.max(tall, 1.5);
          return (
            <rect
              key={day.day}
              className={index === week.length - 1 ? 'spark-now' : 'spark-day'}
              x={index * step + 2}
              y={height - drawn}
              width={step - 4}
              height={drawn}
            >
              <title>{dayWords(day)}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>{t('home.week')}</figcaption>
    </figure>
  );
}

import { useId } from 'react';
import type { UsageView } from '../../contract/work.ts';
import { costWords, usdWords } from '../../language/money.ts';
import { locale, t } from '../../language/texts.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';

type Day = UsageView['days'][number];
type What = 'tokens' | 'money';

const width = 600;
const height = 140;
const gap = 0.25;

interface Part {
  readonly name: 'read' | 'written' | 'cached' | 'cost';
  readonly className: string;
  of(day: Day): number;
}

const tokenParts: readonly Part[] = [
  { name: 'read', className: 'bar-1', of: (day) => day.input },
  { name: 'written', className: 'bar-2', of: (day) => day.output },
  { name: 'cached', className: 'bar-3', of: (day) => day.cacheRead + day.cacheWrite },
];
const moneyParts: readonly Part[] = [{ name: 'cost', className: 'bar-4', of: (day) => day.usd ?? 0 }];

const partsOf = (what: What): readonly Part[] => (what === 'tokens' ? tokenParts : moneyParts);
const sumOf = (what: What, day: Day): number => partsOf(what).reduce((sum, part) => sum + part.of(day), 0);

const amount = (what: What, value: number): string =>
  what === 'tokens' ? t('amounts.tokens', { count: Math.round(value) }) : usdWords(value);

function dayWords(what: What, day: Day): string {
  if (what === 'tokens') return amount(what, sumOf(what, day));
  const cost = costWords(day);
  return day.simulated ? t('usage.simulatedCost', { cost }) : cost;
}

/** A local day, parsed at noon so that no time zone offset changes the date. */
export const dayLabel = (day: string): string =>
  new Date(`${day}T12:00:00`).toLocaleDateString(locale(), { day: 'numeric', month: 'short' });

/** Bar chart per day, with a table of the same values. */
export function DayBars({ days, what }: { days: readonly Day[]; what: What }) {
  const id = useId();
  const most = Math.max(...days.map((day) => sumOf(what, day)), 0);
  const total = days.reduce((sum, day) => sum + sumOf(what, day), 0);
  const title = what === 'tokens' ? t('usage.tokensADay') : t('usage.costADay');
  const unknown = what === 'money' && days.some((day) => day.unpriced > 0);
  const sum = unknown ? costWords({ usd: total > 0 ? total : null, unpriced: 1 }) : amount(what, total);
  return (
    <section className="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="fine">{t('usage.sum', { total: sum, days: days.length, most: amount(what, most) })}</p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('usage.picture', { title, total: sum, days: days.length })}
      >
        <line className="bar-ground" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {days.map((day, index) => (
          <Bar key={day.day} day={day} what={what} index={index} count={days.length} most={most} />
        ))}
      </svg>
      <p className="chart-ends" aria-hidden="true">
        <span>{dayLabel(days[0]?.day ?? '')}</span>
        <span>{dayLabel(days.at(-1)?.day ?? '')}</span>
      </p>
      <Legend what={what} unknown={unknown} />
      <DayTable days={days} what={what} />
    </section>
  );
}

interface BarOf {
  readonly day: Day;
  readonly what: What;
  readonly index: number;
  readonly count: number;
  readonly most: number;
}

function Bar({ day, what, index, count, most }: BarOf) {
  const slot = width / count;
  const x = index * slot + (slot * gap) / 2;
  const wide = slot * (1 - gap);
  let top = height;
  const rects = partsOf(what).map((part) => {
    const tall = most === 0 ? 0 : (part.of(day) / most) * (height - 8);
    top -= tall;
    return <rect key={part.name} className={part.className} x={x} y={top} width={wide} height={tall} />;
  });
  const unknown = what === 'money' && day.unpriced > 0;
  return (
    <g>
      <title>{t('usage.barTitle', { day: dayLabel(day.day), amount: dayWords(what, day) })}</title>
      <rect className="bar-place" x={index * slot} y={0} width={slot} height={height} />
      {rects}
      {unknown && <rect className="bar-unknown" x={x} y={Math.max(0, top - 24)} width={wide} height={24} />}
    </g>
  );
}

function Legend({ what, unknown }: { what: What; unknown: boolean }) {
  if (what === 'money' && !unknown) return null;
  return (
    <ul className="legend" aria-hidden="true">
      {what === 'tokens' &&
        tokenParts.map((part) => (
          <li key={part.name}>
            <svg width={10} height={10} aria-hidden="true">
              <rect className={part.className} width={10} height={10} />
            </svg>
            {t(`usage.${part.name}`)}
          </li>
        ))}
      {unknown && (
        <li>
          <svg width={10} height={10} aria-hidden="true">
            <rect className="bar-unknown" x={1} y={1} width={8} height={8} />
          </svg>
          {t('usage.priceUnknown')}
        </li>
      )}
    </ul>
  );
}

function DayTable({ days, what }: { days: readonly Day[]; what: What }) {
  return (
    <details>
      <summary>{t('usage.asTable')}</summary>
      <ScrollRegion
        className="table-scroll"
        label={what === 'tokens' ? t('usage.tokensByDay') : t('usage.costByDay')}
      >
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('usage.day')}</th>
              <th scope="col">{t('usage.calls')}</th>
              <th scope="col">{what === 'tokens' ? t('usage.tokens') : t('usage.cost')}</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter((day) => day.calls > 0)
              .toReversed()
              .map((day) => (
                <tr key={day.day}>
                  <th scope="row">{dayLabel(day.day)}</th>
                  <td>{day.calls.toLocaleString(locale())}</td>
                  <td>{dayWords(what, day)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

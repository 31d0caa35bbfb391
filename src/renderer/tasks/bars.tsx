import { type ReactNode, useId } from 'react';
import { t } from '../../language/texts.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';

const width = 600;
const height = 140;
const gap = 0.25;

export interface Column {
  readonly key: string;
  /** Tooltip with all values of the column. */
  readonly words: string;
  /** From the bottom: class of a `bar-…` colour, and the count. */
  readonly parts: readonly (readonly [string, number])[];
}

interface BarsOf {
  readonly title: string;
  /** Summary of the chart in one sentence. */
  readonly words: string;
  readonly columns: readonly Column[];
  /** Labels below the axis, from the left; they repeat values of the table. */
  readonly ends: readonly string[];
  readonly legend?: readonly (readonly [string, string])[];
  /** Head and rows of a table with the same values. */
  readonly table: readonly [head: readonly string[], rows: readonly (readonly string[])[]];
}

const sumOf = ({ parts }: Column): number => parts.reduce((sum, [, n]) => sum + n, 0);

/** Bar chart with a summary above and a table below. */
export function Bars({ title, words, columns, ends, legend = [], table }: BarsOf) {
  const id = useId();
  const most = Math.max(...columns.map(sumOf), 0);
  return (
    <section className="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="fine">{words}</p>
      {most > 0 && (
        <p className="fine chart-most" aria-hidden="true">
          {t('tasks.tallest', { n: most })}
        </p>
      )}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('tasks.figuresPicture', { title, words })}
      >
        <line className="bar-ground" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {columns.map((column, index) => (
          <Bar key={column.key} column={column} slot={width / columns.length} index={index} most={most} />
        ))}
      </svg>
      <p className={`chart-ends${ends.length === columns.length ? ' is-even' : ''}`} aria-hidden="true">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </p>
      <Legend legend={legend} />
      <details>
        <summary>{t('tasks.asTable')}</summary>
        <Table label={t('tasks.tableOf', { title })} table={table} />
      </details>
    </section>
  );
}

interface BarOf {
  readonly column: Column;
  readonly slot: number;
  readonly index: number;
  readonly most: number;
}

function Bar({ column, slot, index, most }: BarOf): ReactNode {
  let top = height;
  return (
    <g>
      <title>{column.words}</title>
      <rect className="bar-place" x={index * slot} y={0} width={slot} height={height} />
      {column.parts.map(([className, n]) => {
        const tall = most === 0 ? 0 : (n / most) * (height - 8);
        top -= tall;
        const x = index * slot + (slot * gap) / 2;
        return (
          <rect key={className} className={className} x={x} y={top} width={slot * (1 - gap)} height={tall} />
        );
      })}
    </g>
  );
}

function Legend({ legend }: { legend: readonly (readonly [string, string])[] }) {
  if (legend.length === 0) return null;
  return (
    <ul className="legend" aria-hidden="true">
      {legend.map(([className, words]) => (
        <li key={className}>
          <svg width={10} height={10} aria-hidden="true">
            <rect className={className} width={10} height={10} />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}

function Table({ label, table: [head, rows] }: { label: string; table: BarsOf['table'] }) {
  return (
    <ScrollRegion className="table-scroll" label={label}>
      <table className="plain-table">
        <thead>
          <tr>
            {head.map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

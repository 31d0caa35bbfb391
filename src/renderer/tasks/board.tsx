import { type KeyboardEvent, memo, useId, useRef, useState } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { locale, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { rovingItems } from '../parts/roving.ts';
import { Ago, useNow } from '../parts/time.tsx';
import { columnOf, useBoard } from './board-state.ts';
import { openTask, useWayBack } from './open-task.ts';
import { TaskSign } from './task-icon.tsx';
import {
  goalTitle,
  lookOf,
  lookWords,
  priorityWords,
  type TaskLook,
  taskAgentText,
  taskLooks,
  taskNowText,
} from './task-state-text.ts';
import { useAtWork } from './use-tasks.ts';

/** Cards per column before "show more". */
const columnSize = 20;
/** Columns that are shown even if empty, so that the path of a task is visible. */
const standing: readonly TaskLook[] = ['pending', 'running', 'waiting', 'done'];

interface BoardOf {
  readonly tasks: readonly TaskSummary[];
  /** Counts that include tasks only in the history; `null` to count the given tasks. */
  readonly counts: Readonly<Record<TaskLook, number>> | null;
}

/** One column per status; arrow keys move between cards. */
export function Board({ tasks, counts }: BoardOf) {
  const now = useNow();
  const place = useRef<HTMLDivElement>(null);
  const columns = taskLooks
    .map((look) => ({ look, tasks: columnOf(tasks, look, now) }))
    .filter((column) => column.tasks.length > 0 || standing.includes(column.look));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards have the focus, this only hears their arrow keys
    <div className="board" ref={place} onKeyDown={(event) => walk(place.current, event)}>
      {columns.map((column) => (
        <Column key={column.look} {...column} total={counts?.[column.look] ?? column.tasks.length} />
      ))}
    </div>
  );
}

interface ColumnOf {
  readonly look: TaskLook;
  readonly tasks: readonly TaskSummary[];
  readonly total: number;
}

function Column({ look, tasks, total }: ColumnOf) {
  const id = useId();
  const [size, setSize] = useState(columnSize);
  const rest = tasks.length - size;
  return (
    <section className={`board-column is-${look}`} aria-labelledby={id}>
      <h2 id={id} className="board-head">
        <TaskSign look={look} />
        {lookWords(look)}
        <span className="soft">{total.toLocaleString(locale())}</span>
      </h2>
      {tasks.length === 0 ? (
        <p className="board-none fine">{t(`tasks.none_${look}`)}</p>
      ) : (
        <ul className="board-cards" data-column>
          {tasks.slice(0, size).map((task) => (
            <Card key={task.id} task={task} />
          ))}
        </ul>
      )}
      {rest > 0 && (
        <button type="button" className="button is-small" onClick={() => setSize(size + 100)}>
          {t('tasks.more', { n: rest })}
        </button>
      )}
      {rest <= 0 && total > tasks.length && (
        <button
          type="button"
          className="link"
          onClick={() => useBoard.setState({ view: 'history', past: look })}
        >
          {t('tasks.toHistory', { n: total })}
        </button>
      )}
    </section>
  );
}

const Card = memo(function Card({ task }: { task: TaskSummary }) {
  const now = useNow();
  const atWork = useAtWork();
  const place = useWayBack(task.id);
  const words = taskNowText(task, now, atWork);
  return (
    <li>
      <button
        type="button"
        className={`task-card is-${lookOf(task)}`}
        data-item
        ref={place}
        onClick={() => openTask(task.id)}
      >
        <span className="task-card-goal">{goalTitle(task.goal)}</span>
        {words !== '' && <span className="task-card-now fine">{words}</span>}
        <span className="task-card-foot fine">
          <span className="task-number">#{task.id}</span>
          <bdi>{taskAgentText(task)}</bdi>
          {task.project !== null && <bdi className="chip">{visibleLine(task.project)}</bdi>}
          {task.priority !== 0 && <span className="chip">{priorityWords(task.priority)}</span>}
          <span className="task-card-time">
            <Ago at={task.updatedAt} />
          </span>
        </span>
      </button>
    </li>
  );
});

/** Up and down move within a column, left and right to the same height in the next one. */
function walk(board: HTMLElement | null, event: KeyboardEvent): void {
  const columns = [...(board?.querySelectorAll('[data-column]') ?? [])];
  const at = columns.findIndex((column) => column.contains(document.activeElement));
  const cards = rovingItems(columns[at]);
  const row = cards.indexOf(document.activeElement as HTMLElement);
  if (row < 0) return;
  const beside = (step: number): HTMLElement | undefined => {
    const next = rovingItems(columns[at + step]);
    return next[Math.min(row, next.length - 1)];
  };
  const steps: Partial<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => cards[row + 1],
    ArrowUp: () => cards[row - 1],
    ArrowRight: () => beside(1),
    ArrowLeft: () => beside(-1),
    Home: () => cards[0],
    End: () => cards.at(-1),
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  step()?.focus();
}

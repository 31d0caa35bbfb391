import type { TaskSummary } from '../../contract/task-methods.ts';
import { sumWords, usdWords } from '../../language/money.ts';
import { locale, t } from '../../language/texts.ts';
import { exactTime } from '../format/time.ts';
import { visibleBody, visibleLine } from '../format/visible-text.ts';
import { Fact } from '../parts/fact.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { Ago } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { openInspector } from '../state/screen.ts';
import { openTask } from './open-task.ts';
import { goalTitle, priorityName, taskAgentText } from './task-state-text.ts';

export function TaskFacts({ task }: { task: TaskSummary }) {
  const { goal, runnerId, agentId, project, dueAt, roomId, via } = task;
  const owner = runnerId ?? agentId;
  const title = goalTitle(goal);
  return (
    <section className="card stack task-facts" aria-labelledby="task-facts">
      <h2 id="task-facts">{t('tasks.facts')}</h2>
      <dl>
        {visibleBody(goal.trim()) !== title && (
          <Fact name={t('tasks.wholeGoal')}>
            <bdi className="task-text">{visibleBody(goal.trim())}</bdi>
          </Fact>
        )}
        <Fact name={t('tasks.agent')}>
          {owner === null ? (
            taskAgentText(task)
          ) : (
            <button type="button" className="link" onClick={() => go({ view: 'agents', agent: owner })}>
              <bdi>{taskAgentText(task)}</bdi>
            </button>
          )}
        </Fact>
        {project !== null && (
          <Fact name={t('tasks.project')}>
            <bdi>{visibleLine(project)}</bdi>
          </Fact>
        )}
        <Fact name={t('tasks.priority')}>{priorityName(task.priority)}</Fact>
        {dueAt !== null && <Fact name={t('tasks.due')}>{exactTime(dueAt)}</Fact>}
        <Fact name={t('tasks.created')}>
          <Ago at={task.createdAt} />
        </Fact>
        <Fact name={t('tasks.changedAt')}>
          <Ago at={task.updatedAt} />
        </Fact>
        <Fact name={t('tasks.from')}>{t(`tasks.via_${via}`)}</Fact>
        <Parent task={task} />
      </dl>
      <Limits task={task} />
      {roomId !== null && (
        <p>
          <button type="button" className="button is-small" onClick={() => toThread(roomId, task.rootId)}>
            {t('tasks.toChat')}
          </button>
        </p>
      )}
    </section>
  );
}

/** Opens the thread that gets the result. */
function toThread(room: string, rootId: string | null): void {
  go({ view: 'chat', room });
  if (rootId !== null) openInspector({ type: 'thread', rootId });
}

function Parent({ task: { parent, forkedAt } }: { task: TaskSummary }) {
  if (parent === null) return null;
  const number = String(parent);
  return (
    <Fact name={t('tasks.forkedFrom')}>
      <button type="button" className="link" onClick={() => openTask(parent)}>
        {forkedAt === null
          ? t('tasks.parentTask', { number })
          : t('tasks.forkedAt', { number, step: forkedAt })}
      </button>
    </Fact>
  );
}

/** Usage, compared with its limit if one is set. */
function Limits({ task: { budget, used, steps } }: { task: TaskSummary }) {
  const plain = (n: number): string => n.toLocaleString(locale());
  const rows = [
    [t('tasks.usedSteps'), steps, budget.steps, plain],
    [t('tasks.usedTokens'), used.tokens, budget.tokens, plain],
    [t('tasks.usedUsd'), Math.max(used.usd, used.simulatedUsd), budget.usd, usdWords],
  ] as const;
  const shown = (name: string, now: number, words: (n: number) => string): string =>
    (name === t('tasks.usedUsd') && sumWords(used)) || words(now);
  return (
    <div className="task-limits">
      <h3>{t('tasks.used')}</h3>
      {rows.map(([name, now, most, words]) =>
        most === null ? (
          <p key={name} className="task-used">
            <span>{name}</span>
            <span className="soft">{shown(name, now, words)}</span>
          </p>
        ) : (
          <ShareBar
            key={name}
            name={name}
            share={now / most}
            words={t('tasks.usedOf', { used: shown(name, now, words), limit: words(most) })}
          />
        ),
      )}
    </div>
  );
}

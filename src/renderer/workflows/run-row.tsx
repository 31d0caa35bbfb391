import type { RunSummary } from '../../contract/workflow-methods.ts';
import { sumWords } from '../../language/money.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Ago, useNow } from '../parts/time.tsx';
import { durationWords } from '../work/turn-text.ts';
import { goToRun } from './addresses.ts';
import { RunSign } from './step-icon.tsx';
import { runStatusWords } from './step-text.ts';
import { useStarter } from './use-starter.ts';

interface RowOf {
  readonly run: RunSummary;
  readonly reachable?: boolean;
}

export function RunListRow({ run, reachable = true }: RowOf) {
  const now = useNow();
  const starter = useStarter(run.initiatedBy);
  const said =
    run.message === '' ? run.running.map(visibleLine).join(', ') : visibleLine(localize(run.message));
  return (
    <button
      type="button"
      data-item
      className={`row turn-row run-row is-${run.status}`}
      tabIndex={reachable ? 0 : -1}
      onClick={() => goToRun(run.id)}
    >
      <RunSign status={run.status} />
      <span className="turn-words">
        <span className="turn-line">
          <strong>
            <bdi>{run.name === '' ? t('workflows.unnamed') : visibleLine(run.name)}</bdi>
          </strong>{' '}
          <code className="fine">{run.id.slice(0, 8)}</code>
        </span>
        <span className="fine turn-line">
          <span className="turn-state">{runStatusWords(run.status)}</span>
          {run.archivedAt !== null && ` · ${t('workflows.archived')}`}
          {run.gates.length > 0 && ` · ${t('workflows.questions', { n: run.gates.length })}`}
          {' · '}
          {starter}
          {said !== '' && (
            <>
              {' · '}
              <bdi>{said}</bdi>
            </>
          )}
        </span>
      </span>
      <span className="turn-numbers fine">
        <span>{durationWords((run.endedAt ?? now) - run.createdAt)}</span>
        <span>{t('workflows.steps', { n: run.stepsDone })}</span>
        <span>{sumWords({ ...run, usd: run.costUsd })}</span>
      </span>
      <span className="row-time">
        <Ago at={run.createdAt} />
      </span>
    </button>
  );
}

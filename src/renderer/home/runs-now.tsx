import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { For } from '../parts/time.tsx';
import { goToRun, goToWorkflows } from '../workflows/addresses.ts';
import { RunSign } from '../workflows/step-icon.tsx';
import { runStatusWords } from '../workflows/step-text.ts';
import { useOpenRuns } from '../workflows/use-runs.ts';

const most = 5;

export function RunsNow() {
  const open = useOpenRuns();
  if (open.length === 0) return null;
  return (
    <div className="tasks-now">
      <h3>{t('workflows.homeTitle')}</h3>
      <ul className="rows">
        {open.slice(0, most).map((run) => (
          <li key={run.id}>
            <button type="button" className="row" onClick={() => goToRun(run.id)}>
              <RunSign status={run.status} />
              <span className="row-now is-dark">
                <bdi>{visibleLine(run.name)}</bdi>
              </span>
              <span className="row-time">{runStatusWords(run.status)}</span>
              <span className="row-time">
                <For since={run.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="link card-foot" onClick={goToWorkflows}>
        {t('workflows.homeAll')}
      </button>
    </div>
  );
}

import { t } from '../../language/texts.ts';
import { BulkReport } from '../lists/bulk-bar.tsx';
import { Segments } from '../parts/segments.tsx';
import { FilesList } from './files-list.tsx';
import { showInWorkflows, useShownInWorkflows } from './open-list.ts';
import { RunListRow } from './run-row.tsx';
import { RunsHistory } from './runs-history.tsx';
import { useOpenRuns } from './use-runs.ts';

export function WorkflowsTab() {
  const shown = useShownInWorkflows((state) => state.shown);
  const open = useOpenRuns();
  return (
    <div className="stack">
      {open.length > 0 && (
        <section className="workflow-list" aria-labelledby="runs-open">
          <h2 id="runs-open">{t('workflows.goingOn')}</h2>
          <ul className="card rows-card">
            {open.map((run) => (
              <li key={run.id}>
                <RunListRow run={run} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <Segments
          label={t('workflows.show')}
          value={shown}
          options={[
            ['files', t('workflows.files')],
            ['runs', t('workflows.history')],
          ]}
          onChange={showInWorkflows}
        />
      </div>
      {shown === 'files' && <BulkReport list="runs" />}
      {shown === 'files' ? <FilesList /> : <RunsHistory />}
    </div>
  );
}

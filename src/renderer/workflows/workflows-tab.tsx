import { create } from 'zustand';
import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import { FilesList } from './files-list.tsx';
import { RunRow } from './run-row.tsx';
import { RunsHistory } from './runs-history.tsx';
import { useLiveRuns } from './use-runs.ts';

type Shown = 'files' | 'runs';

const useShown = create<{ shown: Shown }>(() => ({ shown: 'files' }));
export const showInWorkflows = (shown: Shown): void => useShown.setState({ shown });

/** Workflow files and their runs; what goes on stands above both. */
export function WorkflowsTab() {
  const shown = useShown((state) => state.shown);
  const runs = useLiveRuns();
  const open = runs.filter(({ status }) => status === 'running' || status === 'waiting');
  return (
    <div className="stack">
      {open.length > 0 && (
        <section className="workflow-list" aria-labelledby="runs-open">
          <h2 id="runs-open">{t('workflows.goingOn')}</h2>
          <ul className="card rows-card">
            {open.map((run) => (
              <RunRow key={run.id} run={run} />
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
      {shown === 'files' ? <FilesList /> : <RunsHistory />}
    </div>
  );
}

import { useState } from 'react';
import { runStatuses } from '../../contract/run-states.ts';
import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';
import { ChoiceField, Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';
import { RunRows } from './run-rows.tsx';
import { runStatusWords } from './step-text.ts';
import { allRuns, useRunPages, type WantedRuns } from './use-runs.ts';

export function RunsHistory() {
  const [wanted, setWanted] = useState(allRuns);
  const { items: runs, more, error, older } = useRunPages(wanted);
  const picky = wanted.text.trim() !== '' || wanted.status !== '';
  return (
    <div className="stack">
      <search className="filters">
        <Field
          label={t('workflows.find')}
          type="search"
          maxLength={200}
          placeholder={t('workflows.findHint')}
          value={wanted.text}
          onChange={(event) => setWanted({ ...wanted, text: event.target.value })}
        />
        <ChoiceField
          label={t('workflows.state')}
          value={wanted.status}
          options={[
            ['', t('workflows.anyState')],
            ...runStatuses.map((status) => [status, runStatusWords(status)] as const),
            ['archived', t('workflows.archived')],
          ]}
          onChange={(status: WantedRuns['status']) => setWanted({ ...wanted, status })}
        />
      </search>
      <ErrorNote error={error} />
      {runs === null && error === null && <RowsSkeleton />}
      {runs !== null && (
        <RunRows
          runs={runs}
          none={
            picky ? (
              <p className="card-empty" role="status">
                {t('workflows.noneFits')}
              </p>
            ) : (
              <Empty title={t('workflows.neverRan')}>{t('workflows.neverRanText')}</Empty>
            )
          }
          {...(more ? { onMore: older } : {})}
        />
      )}
    </div>
  );
}

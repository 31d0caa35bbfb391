import { useMemo, useState } from 'react';
import type { RunAgain } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useNow } from '../parts/time.tsx';
import { GraphPane } from './graph/graph-pane.tsx';
import { AgainDialog } from './run-again-dialog.tsx';
import { StepTimesKey } from './step-bar.tsx';
import { StepRow } from './step-row.tsx';
import { nodeOf, shownStepState, statesByNode } from './step-text.ts';
import { latestOf, runScale } from './step-times.ts';
import type { WholeRun } from './use-run.ts';

/** Steps per page, because a loop may have thousands of iterations. */
const pageSize = 200;

/** Graph of the run's progress, and its steps in start order; selecting a box filters the steps. */
export function StepsPane({ whole }: { whole: WholeRun }) {
  const { run, graph, steps, gates } = whole;
  const [chosen, setChosen] = useState<string | null>(null);
  const [again, setAgain] = useState<RunAgain | null>(null);
  const [most, setMost] = useState(pageSize);
  const ticking = useNow(1_000);
  const now = run.endedAt ?? Math.max(ticking, latestOf(steps));
  const scale = useMemo(() => runScale(steps, run.createdAt, now), [steps, run.createdAt, now]);
  const states = useMemo(() => statesByNode(steps, gates), [steps, gates]);
  const fitting = chosen === null ? steps : steps.filter(({ path }) => isAt(chosen, path));
  const label = graph.nodes.find(({ id }) => id === chosen)?.label ?? '';
  return (
    <div className="workflow-split">
      <section className="stack" aria-label={t('workflows.stepsTab')}>
        {chosen !== null && (
          <p className="fine" role="status">
            {t('workflows.onlyOf', { name: visibleLine(label), n: fitting.length })}{' '}
            <button type="button" className="link" onClick={() => setChosen(null)}>
              {t('workflows.allSteps')}
            </button>
          </p>
        )}
        {fitting.length === 0 ? (
          <div className="card">
            <p className="card-empty">{t('workflows.noSteps')}</p>
          </div>
        ) : (
          <>
            <StepTimesKey squeezed={scale.squeezed} />
            <ol className="card rows-card step-rows">
              {fitting.slice(0, most).map((step) => (
                <StepRow
                  key={step.path}
                  run={run.id}
                  step={step}
                  scale={scale}
                  now={now}
                  state={shownStepState(step, gates)}
                  over={run.endedAt !== null}
                  onAgain={setAgain}
                />
              ))}
            </ol>
          </>
        )}
        {fitting.length > most && (
          <div>
            <button type="button" className="button is-small" onClick={() => setMost(most + pageSize)}>
              {t('workflows.moreSteps', { n: fitting.length - most })}
            </button>
          </div>
        )}
      </section>
      {again !== null && <AgainDialog whole={whole} step={again} onClose={() => setAgain(null)} />}
      <GraphPane
        graph={graph}
        states={states}
        chosen={chosen}
        onChoose={(node) => setChosen(node === 'start' || node === 'end' ? null : node)}
      />
    </div>
  );
}

/** True for the node itself and, if it is a block, for all steps inside it. */
const isAt = (node: string, path: string): boolean => {
  const own = nodeOf(path);
  return own === node || own.startsWith(`${node}.`) || own.startsWith(`${node}[`);
};

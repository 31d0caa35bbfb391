import { useEffect, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Tabs } from '../parts/tabs.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { visibleLine } from '../words/visible-text.ts';
import { RunActions } from './run-actions.tsx';
import { RunDecisions } from './run-decisions.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunJournal } from './run-journal.tsx';
import { RunQuestions } from './run-questions.tsx';
import { RunSource } from './run-source.tsx';
import { StepsPane } from './steps-pane.tsx';
import { useRun, type WholeRun } from './use-run.ts';
import { WorkflowFrame } from './workflow-frame.tsx';

type Tab = 'steps' | 'decisions' | 'file' | 'journal';

export function RunPage({ id }: { id: string }) {
  const { whole, error, reload } = useRun(id);
  const head = useRef<HTMLHeadingElement>(null);
  const known = whole !== null;
  useEffect(() => {
    if (known) takeFocus(head.current);
  }, [known]);
  return (
    <WorkflowFrame error={error}>
      {whole === null ? null : (
        <>
          <header className="page-head">
            <h1 ref={head} tabIndex={-1}>
              <bdi>{whole.run.name === '' ? t('workflows.unnamed') : visibleLine(whole.run.name)}</bdi>
            </h1>
            <RunActions whole={whole} onChanged={reload} />
          </header>
          <RunFacts whole={whole} />
          <RunQuestions gates={whole.gates} />
          <Body whole={whole} />
        </>
      )}
    </WorkflowFrame>
  );
}

function Body({ whole }: { whole: WholeRun }) {
  const [tab, setTab] = useState<Tab>('steps');
  return (
    <Tabs
      label={visibleLine(whole.run.name)}
      value={tab}
      tabs={[
        ['steps', t('workflows.stepsTab')],
        ['decisions', t('workflows.decisionsTab', { n: whole.gates.length })],
        ['file', t('workflows.fileTab')],
        ['journal', t('workflows.journalTab')],
      ]}
      onChange={(next: Tab) => setTab(next)}
    >
      {tab === 'steps' && <StepsPane whole={whole} />}
      {tab === 'decisions' && <RunDecisions gates={whole.gates} />}
      {tab === 'file' && <RunSource run={whole.run} source={whole.source} />}
      {tab === 'journal' && <RunJournal run={whole.run} />}
    </Tabs>
  );
}

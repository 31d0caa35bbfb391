import { useEffect, useRef, useState } from 'react';
import type { FindingView, RunGate, RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { useAsked, useShown } from '../state/approvals.ts';
import { copyText } from '../state/copy.ts';
import { RunActions } from './run-actions.tsx';
import { RunDecisions } from './run-decisions.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunJournal } from './run-journal.tsx';
import { StepsPane } from './steps-pane.tsx';
import { useRun, type WholeRun } from './use-run.ts';
import { WorkflowEditor } from './workflow-editor.tsx';
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

/** Open gates of this run as in the inbox; answered ones stay as one line. */
function RunQuestions({ gates }: { gates: readonly RunGate[] }) {
  const ids = new Set(gates.map(({ id }) => id));
  const shown = useShown(useAsked()).filter(({ id }) => ids.has(id));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="run-asks">
      <h2 id="run-asks" className="visually-hidden">
        {t('workflows.waitsForYou')}
      </h2>
      <AskList shown={shown} compact />
    </section>
  );
}

const nothing = (): void => undefined;
const noFindings: readonly FindingView[] = [];
const noNames = { agents: [], files: [] };

/** The workflow text that the run is pinned to; later edits of the file affect only new runs. */
function RunSource({ run, source }: { run: RunSummary; source: string }) {
  return (
    <section className="stack" aria-label={t('workflows.fileTab')}>
      <p className="soft">{t('workflows.pinned')}</p>
      <p className="turn-links">
        <button type="button" className="button is-small" onClick={() => copyText(source)}>
          {t('workflows.copySource')}
        </button>
      </p>
      <WorkflowEditor
        key={run.id}
        label={t('workflows.fileTab')}
        text={source}
        readOnly
        findings={noFindings}
        known={noNames}
        onChange={nothing}
        onSave={nothing}
        onCursor={nothing}
      />
    </section>
  );
}

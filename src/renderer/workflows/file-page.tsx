import { useRef, useState } from 'react';
import type { FindingView, GraphView, WorkflowFile } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAgents } from '../state/subscriptions.ts';
import { fileName } from './addresses.ts';
import type { EditorHandle } from './editor/code-editor.tsx';
import { FieldHelp } from './field-help.tsx';
import { FileActions } from './file-actions.tsx';
import { FindingsList } from './findings-list.tsx';
import { GraphPane } from './graph/graph-pane.tsx';
import { InsertMenu } from './insert-menu.tsx';
import { SaveConflict } from './save-conflict.tsx';
import { lineOfStep } from './step-line.ts';
import { type DraftView, useDraft } from './use-draft.ts';
import { useWorkflowFiles } from './use-files.ts';
import { WorkflowEditor } from './workflow-editor.tsx';
import { WorkflowFrame } from './workflow-frame.tsx';

const noFindings: readonly FindingView[] = [];

/** A workflow file: text and graph side by side. */
export function FilePage({ path }: { path: string }) {
  const { listing } = useWorkflowFiles();
  const draft = useDraft(path, listing?.folder ?? null);
  const file = listing?.files.find((one) => one.path === path) ?? null;
  return (
    <WorkflowFrame error={draft.readError}>
      {draft.checked === null ? null : (
        <>
          <header className="page-head workflow-head">
            <div>
              <h1>
                <bdi>{visibleLine(file?.name || fileName(path))}</bdi>
              </h1>
              <p className="soft">
                <code>{visibleLine(path)}</code>
              </p>
            </div>
            <FileActions draft={draft} file={file} listing={listing} />
          </header>
          {file?.example === true && <Note tone="plain">{t('workflows.exampleReadOnly')}</Note>}
          <ErrorNote error={draft.saveError} />
          {draft.conflict && <SaveConflict draft={draft} />}
          <Editing draft={draft} readOnly={file?.example === true} files={listing?.files ?? []} />
        </>
      )}
    </WorkflowFrame>
  );
}

interface EditingOf {
  readonly draft: DraftView;
  readonly readOnly: boolean;
  readonly files: readonly WorkflowFile[];
}

function Editing({ draft, readOnly, files }: EditingOf) {
  const editor = useRef<EditorHandle>(null);
  const agents = useAgents((all) => all);
  const [cursor, setCursor] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);
  const { checked, text } = draft;
  const graph = useLastGraph(checked?.graph ?? null);
  const choose = (node: string): void => {
    setChosen(node);
    const label = graph?.nodes.find(({ id }) => id === node)?.label;
    const line = label === undefined ? null : lineOfStep(text, label);
    if (line !== null) editor.current?.show(line);
  };
  const open = ({ line }: FindingView): void => editor.current?.jump(line);
  return (
    <div className="workflow-split">
      <div className="stack">
        {!readOnly && !/\.json$/i.test(draft.path) && (
          <div>
            <InsertMenu
              onPick={(kind) => editor.current?.insert(kind)}
              focusAfter={() => editor.current?.content() ?? null}
            />
          </div>
        )}
        <WorkflowEditor
          ref={editor}
          label={t('workflows.text')}
          text={text}
          readOnly={readOnly}
          findings={checked?.findings ?? noFindings}
          known={{ agents: Object.keys(agents ?? {}), files: files.map(({ path }) => fileName(path)) }}
          onChange={draft.change}
          onSave={() => void draft.save()}
          onCursor={setCursor}
        />
        <FieldHelp text={text} cursor={cursor} />
        <FindingsList findings={checked?.findings ?? []} checking={draft.checking} onOpen={open} />
      </div>
      {graph === null ? (
        <div className="card">
          <p className="card-empty">{t('workflows.noGraph')}</p>
        </div>
      ) : (
        <div className="stack">
          {checked?.graph === null && <p className="fine">{t('workflows.oldGraph')}</p>}
          <GraphPane graph={graph} chosen={chosen} onChoose={choose} />
        </div>
      )}
    </div>
  );
}

/** Returns the last valid graph while the typed text is invalid. */
function useLastGraph(graph: GraphView | null): GraphView | null {
  const [last, setLast] = useState(graph);
  if (graph !== null && graph !== last) setLast(graph);
  return graph ?? last;
}

import { useRef, useState } from 'react';
import type { FindingView, GraphView } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { visibleLine } from '../words/visible-text.ts';
import { fileName } from './addresses.ts';
import { FileActions } from './file-actions.tsx';
import { FindingsList } from './findings-list.tsx';
import { GraphPane } from './graph/graph-pane.tsx';
import { SaveConflict } from './save-conflict.tsx';
import { lineOfStep } from './step-line.ts';
import { type EditorHandle, TextEditor } from './text-editor.tsx';
import { type DraftView, useDraft } from './use-draft.ts';
import { useWorkflowFiles } from './use-files.ts';
import { WorkflowFrame } from './workflow-frame.tsx';

/** A workflow file: text and graph side by side. */
export function FilePage({ path }: { path: string }) {
  const { listing } = useWorkflowFiles();
  const draft = useDraft(path, listing?.folder ?? null);
  const file = listing?.files.find((one) => one.path === path) ?? null;
  return (
    <WorkflowFrame error={draft.readError}>
      {draft.checked === null ? null : (
        <>
          <header className="page-head">
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
          <Editing draft={draft} readOnly={file?.example === true} />
        </>
      )}
    </WorkflowFrame>
  );
}

function Editing({ draft, readOnly }: { draft: DraftView; readOnly: boolean }) {
  const editor = useRef<EditorHandle>(null);
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
        <TextEditor
          ref={editor}
          label={t('workflows.text')}
          text={text}
          readOnly={readOnly}
          findings={checked?.findings ?? []}
          onChange={draft.change}
          onSave={() => void draft.save()}
        />
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

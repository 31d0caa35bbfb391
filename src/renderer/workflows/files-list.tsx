import { useState } from 'react';
import type { WorkflowFile } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { fileName, goToFile, goToRun } from './addresses.ts';
import { FileRow } from './file-row.tsx';
import { NewWorkflowFile } from './new-file.tsx';
import { askNewWorkflow, useAsksNewWorkflow } from './new-file-state.ts';
import { freeName } from './new-text.ts';
import { RowsSkeleton } from './rows-skeleton.tsx';
import { RunDialog } from './run-dialog.tsx';
import { belowFolder, type FilesView, useWorkflowFiles } from './use-files.ts';
import { useLiveRuns } from './use-runs.ts';

/** The operator's files, then the bundled examples. */
export function FilesList() {
  const { listing, error, reload } = useWorkflowFiles();
  const runs = useLiveRuns();
  const creating = useAsksNewWorkflow();
  const [running, setRunning] = useState<WorkflowFile | null>(null);
  const use = useCopy(listing);
  const sorted = [...(listing?.files ?? [])].sort((a, b) => byWords(a.name, b.name));
  const [own, examples] = [sorted.filter((file) => !file.example), sorted.filter((file) => file.example)];
  const rows = (files: readonly WorkflowFile[]) =>
    files.map((file) => (
      <FileRow
        key={file.path}
        file={file}
        last={runs.find((run) => run.file === file.path) ?? null}
        onRun={() => setRunning(file)}
        onUse={file.example ? () => void use(file) : undefined}
      />
    ));
  return (
    <div className="stack">
      <ErrorNote error={error} />
      {listing === null && error === null && <RowsSkeleton />}
      {listing !== null && (
        <section className="workflow-list" aria-labelledby="own-workflows">
          <header className="card-head">
            <h2 id="own-workflows">{t('workflows.yours')}</h2>
            <button type="button" className="button is-primary" onClick={() => askNewWorkflow(true)}>
              <Icon name="plus" size={16} /> {t('workflows.new')}
            </button>
          </header>
          {own.length === 0 ? (
            <NoFiles examples={examples} onAsk={setRunning} />
          ) : (
            <ul className="card rows-card">{rows(own)}</ul>
          )}
          <p className="fine card-foot">
            {t.rich('workflows.inFolder', { folder: () => <code>{visibleLine(listing.folder)}</code> })}
          </p>
        </section>
      )}
      {examples.length > 0 && (
        <section className="workflow-list" aria-labelledby="example-workflows">
          <h2 id="example-workflows">{t('workflows.examples')}</h2>
          <p className="soft">{t('workflows.examplesText')}</p>
          <ul className="card rows-card">{rows(examples)}</ul>
        </section>
      )}
      {running !== null && (
        <RunDialog
          file={running.path}
          name={running.name}
          args={running.args}
          onClose={() => setRunning(null)}
        />
      )}
      {creating && listing !== null && (
        <NewWorkflowFile
          listing={listing}
          onMade={() => void reload()}
          onClose={() => askNewWorkflow(false)}
        />
      )}
    </div>
  );
}

/** Copies an example to an own file with a free name, and opens the copy. */
function useCopy(listing: FilesView['listing']): (file: WorkflowFile) => Promise<void> {
  const { link } = useReplica();
  return async (example) => {
    if (listing === null) return;
    const own = listing.files.filter((file) => !file.example);
    const file = freeName(
      fileName(example.path),
      own.map(({ path }) => belowFolder(listing.folder, path)),
    );
    const read = await link.call('workflows.read', { file: example.path });
    if (!read.ok) return showError(read.error);
    const saved = await link.call('workflows.save', { file, text: read.value.text, was: null });
    if (!saved.ok) return showError(saved.error);
    goToFile(saved.value.path);
  };
}

interface NoFilesOf {
  readonly examples: readonly WorkflowFile[];
  onAsk(file: WorkflowFile): void;
}

/**
 * Introduces workflows and offers an example: one without required arguments starts with one click, otherwise
 * one with the fewest.
 */
function NoFiles({ examples, onAsk }: NoFilesOf) {
  const start = useAction('runs.start');
  const ready = examples.find(({ args, errors }) => errors === 0 && args.every(({ required }) => !required));
  const asks = ({ args }: WorkflowFile): number => args.filter(({ required }) => required).length;
  const example = ready ?? [...examples].sort((a, b) => asks(a) - asks(b))[0];
  const run = async (file: WorkflowFile): Promise<void> => {
    if (file !== ready) return onAsk(file);
    const result = await start.run({ file: file.path, args: {} });
    if (result.ok) goToRun(result.value.id);
  };
  return (
    <div className="card">
      <Empty title={t('workflows.emptyTitle')}>
        <p>{t('workflows.empty')}</p>
        {example !== undefined && (
          <button type="button" className="button" disabled={start.busy} onClick={() => void run(example)}>
            <Icon name="play" size={16} /> {t('workflows.tryExample', { name: visibleLine(example.name) })}
          </button>
        )}
      </Empty>
      <ErrorNote error={start.error} />
    </div>
  );
}

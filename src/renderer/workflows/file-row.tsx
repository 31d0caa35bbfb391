import type { RunSummary, WorkflowFile } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Ago } from '../parts/time.tsx';
import { useScreen } from '../state/screen.ts';
import { fileName, goToFile, goToRun } from './addresses.ts';
import { RunSign } from './step-icon.tsx';
import { runStatusWords } from './step-text.ts';

interface RowOf {
  readonly file: WorkflowFile;
  readonly last: RunSummary | null;
  onRun(): void;
  /** For an example: creates a copy and opens it. */
  onUse?: (() => void) | undefined;
}

export function FileRow({ file, last, onRun, onUse }: RowOf) {
  const isUnsaved = useScreen(({ unsavedWorkflows }) => unsavedWorkflows[file.path] !== undefined);
  const name = file.name === '' ? fileName(file.path) : file.name;
  return (
    <li className="workflow-row">
      <button type="button" className="row workflow-open" onClick={() => goToFile(file.path)}>
        <Icon name="file" size={18} />
        <span className="turn-words">
          <span className="turn-line">
            <strong>
              <bdi>{visibleLine(name)}</bdi>
            </strong>{' '}
            {name !== fileName(file.path) && <span className="fine">{visibleLine(fileName(file.path))}</span>}
          </span>
          {file.description !== '' && (
            <span className="fine turn-line">
              <bdi>{visibleLine(file.description)}</bdi>
            </span>
          )}
        </span>
        {isUnsaved && <span className="chip is-amber">{t('parts.unsaved')}</span>}
        {file.errors > 0 && <span className="chip is-red">{t('workflows.errors', { n: file.errors })}</span>}
        {file.warnings > 0 && (
          <span className="chip is-amber">{t('workflows.warnings', { n: file.warnings })}</span>
        )}
      </button>
      {last !== null && (
        <button type="button" className="link workflow-last" onClick={() => goToRun(last.id)}>
          <RunSign status={last.status} /> {runStatusWords(last.status)}
          {' · '}
          <Ago at={last.createdAt} />
        </button>
      )}
      {onUse !== undefined && (
        <button
          type="button"
          className="button is-small"
          aria-label={t('workflows.useExampleOf', { name: visibleLine(name) })}
          onClick={onUse}
        >
          <Icon name="plus" size={14} /> {t('workflows.useExample')}
        </button>
      )}
      <button
        type="button"
        className="button is-small"
        disabled={file.errors > 0}
        aria-label={t('workflows.runOf', { name: visibleLine(name) })}
        onClick={onRun}
      >
        <Icon name="play" size={14} /> {t('workflows.run')}
      </button>
    </li>
  );
}

import type { RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { copyText } from '../state/copy.ts';
import { TextEditor } from './text-editor.tsx';

const nothing = (): void => undefined;

/** The workflow text that the run is pinned to; later edits of the file affect only new runs. */
export function RunSource({ run, source }: { run: RunSummary; source: string }) {
  return (
    <section className="stack" aria-label={t('workflows.fileTab')}>
      <p className="soft">{t('workflows.pinned')}</p>
      <p className="turn-links">
        <button type="button" className="button is-small" onClick={() => copyText(source)}>
          {t('workflows.copySource')}
        </button>
      </p>
      <TextEditor
        key={run.id}
        label={t('workflows.fileTab')}
        text={source}
        readOnly
        findings={[]}
        onChange={nothing}
        onSave={nothing}
      />
    </section>
  );
}

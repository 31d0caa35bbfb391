import type { BackupFacts, DesktopView, RestoreState } from '../../contract/desktop-methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useRestore } from './use-restore.ts';

/** Picks a backup, shows its contents and restores it while the host is stopped. Desktop app only. */
export function RestoreFlow({ view }: { view: DesktopView }) {
  const work = useRestore(view);
  return (
    <>
      <p className="button-row">
        <button
          type="button"
          className="button"
          // Not disabled while asking: a disabled button loses the focus, which the dialog returns to it.
          disabled={work.running}
          onClick={() => void work.choose()}
        >
          {t('upkeep.restorePick')}
        </button>
      </p>
      <ErrorNote error={work.error} />
      {work.state !== null && <Outcome state={work.state} />}
      {work.picked !== null && (
        <Confirm
          title={t('upkeep.restoreAsk')}
          verb={t('upkeep.restoreVerb')}
          danger
          busy={work.busy}
          onConfirm={() => void work.putBack()}
          onClose={work.drop}
        >
          <Facts backup={work.picked} />
        </Confirm>
      )}
    </>
  );
}

function Facts({ backup: { path, version, madeAt, files, bytes } }: { backup: BackupFacts }) {
  const when = () => <Ago at={madeAt} />;
  return (
    <>
      <p>
        {t.rich('upkeep.restoreFacts', {
          when,
          version: visibleLine(version),
          files,
          size: bytesWords(bytes),
        })}
      </p>
      <p>
        <code className="path">{visibleLine(path)}</code>
      </p>
      <p>{t('upkeep.restoreStops')}</p>
      <p className="soft">{t('upkeep.restoreOnce')}</p>
    </>
  );
}

function Outcome({ state }: { state: RestoreState }) {
  switch (state.type) {
    case 'running':
      return (
        <p role="status">
          {state.of === 0
            ? t('upkeep.restoring')
            : t('upkeep.restoringFiles', { files: state.files, of: state.of })}
        </p>
      );
    case 'done':
      return (
        <Note tone="plain">
          <p>{t('upkeep.restored', { files: state.files })}</p>
          {state.aside !== null && (
            <p>
              {t.rich('upkeep.restoredAside', {
                path: () => <code className="path">{visibleLine(state.aside ?? '')}</code>,
              })}
            </p>
          )}
        </Note>
      );
    case 'failed':
      return (
        <ErrorNote error={state.error}>
          <p className="note-hint">{t('upkeep.restoreFailed')}</p>
        </ErrorNote>
      );
  }
}

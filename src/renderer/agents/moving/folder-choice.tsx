import { type ChangeEvent, useId, useState } from 'react';
import { textError } from '../../../contract/errors.ts';
import { maxTransferBytes } from '../../../contract/transfer-methods.ts';
import { t } from '../../../language/texts.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { useDesktop } from '../../settings/use-desktop.ts';
import type { Import } from './use-import.ts';
import { agentsOf, zipOf } from './zip-folder.ts';

/**
 * Chooses a folder to import from. The desktop app passes its path to the host; a browser packs it into an
 * archive.
 */
export function FolderChoice({ work }: { work: Import }) {
  const { state } = useDesktop();
  if (state === 'reading') return null;
  return state === 'there' ? <Picked work={work} /> : <Packed work={work} />;
}

function Picked({ work }: { work: Import }) {
  const id = useId();
  return (
    <div className="field">
      <span id={id}>{t('moving.folder')}</span>
      <p className="button-row">
        <button
          type="button"
          className="button"
          disabled={work.busy}
          onClick={() => void work.pick('folder')}
        >
          {t('moving.chooseFolder')}
        </button>
      </p>
      <p className="field-hint">{t('moving.folderHint')}</p>
    </div>
  );
}

function Packed({ work }: { work: Import }) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const files = agentsOf([...(target.files ?? [])]);
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
    const wrong =
      files.length === 0
        ? t('moving.noAgentIn')
        : bytes > maxTransferBytes
          ? t('moving.tooLargeFolder')
          : null;
    setProblem(wrong);
    if (wrong !== null) return;
    setBusy(true);
    const packed = await zipOf(files).catch(() => null);
    setBusy(false);
    if (packed === null) setProblem(t('moving.unreadable'));
    else await work.choose(packed);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{t('moving.folder')}</label>
      <input
        id={id}
        type="file"
        // The browser returns all files below the chosen folder.
        {...{ webkitdirectory: '' }}
        disabled={busy}
        aria-describedby={`${id}-hint`}
        onChange={(event) => void take(event)}
      />
      <p className="field-hint" id={`${id}-hint`} role={busy ? 'status' : undefined}>
        {busy ? t('moving.packingFolder') : t('moving.folderHintPage')}
      </p>
      <ErrorNote error={problem === null ? null : textError('invalid_input', problem)} />
    </div>
  );
}

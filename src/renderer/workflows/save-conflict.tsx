import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Note } from '../parts/notes.tsx';
import { copyText } from '../state/copy.ts';
import type { DraftView } from './use-draft.ts';

/**
 * The file changed on disk since it was read: nothing was written, and the operator chooses which version to
 * keep.
 */
export function SaveConflict({ draft }: { draft: DraftView }) {
  const [asked, setAsked] = useState(false);
  return (
    <div role="alert">
      <Note tone="warning">
        <p>{t('workflows.conflict')}</p>
        <p className="form-foot">
          <button type="button" className="button is-small" onClick={() => copyText(draft.text)}>
            {t('workflows.copyMine')}
          </button>
          <button type="button" className="button is-small" onClick={() => void draft.reload()}>
            {t('workflows.takeTheirs')}
          </button>
          <button type="button" className="button is-small" onClick={() => setAsked(true)}>
            {t('workflows.keepMine')}
          </button>
        </p>
      </Note>
      {asked && (
        <Confirm
          title={t('workflows.keepMineTitle')}
          verb={t('workflows.keepMineVerb')}
          danger
          onConfirm={() => {
            setAsked(false);
            void draft.overwrite();
          }}
          onClose={() => setAsked(false)}
        >
          <p>{t('workflows.keepMineText')}</p>
        </Confirm>
      )}
    </div>
  );
}

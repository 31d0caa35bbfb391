import { type ChangeEvent, type FormEvent, useId, useState } from 'react';
import type { Imported } from '../../../contract/bundles.ts';
import { englishText } from '../../../language/host-message.ts';
import { localize, t } from '../../../language/texts.ts';
import { bytesWords } from '../../format/amounts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Icon } from '../../mark/icon.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { go } from '../../state/route.ts';
import { FolderChoice } from './folder-choice.tsx';
import { ImportReviewForm } from './import-review.tsx';
import { type Import, useImport } from './use-import.ts';

/** Imports agents from a file; nothing is imported before the review step. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const work = useImport();
  return (
    <Dialog title={t('moving.importTitle')} wide={work.step.type === 'review'} onClose={onClose}>
      <StepOf work={work} onClose={onClose} />
    </Dialog>
  );
}

function StepOf({ work, onClose }: { work: Import; onClose(): void }) {
  const { step } = work;
  switch (step.type) {
    case 'choose':
      return <ChooseFile work={work} onClose={onClose} />;
    case 'bringing':
      return (
        <p role="status">
          {t('moving.bringing', { received: bytesWords(step.received), size: bytesWords(step.size) })}
        </p>
      );
    case 'locked':
      return <Unlock work={work} onClose={onClose} />;
    case 'review':
      return <ImportReviewForm work={work} review={step.review} onClose={onClose} />;
    case 'done':
      return <CameIn imported={step.imported} onClose={onClose} />;
  }
}

function ChooseFile({ work, onClose }: { work: Import; onClose(): void }) {
  const id = useId();
  const take = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file !== undefined) void work.choose(file);
  };
  return (
    <div className="stack">
      <div className="field">
        <label htmlFor={id}>{t('moving.file')}</label>
        <input
          id={id}
          type="file"
          accept=".puffoagent,.zip"
          aria-describedby={`${id}-hint`}
          onChange={take}
        />
        <p className="field-hint" id={`${id}-hint`}>
          {t('moving.fileHint')}
        </p>
      </div>
      <FolderChoice work={work} />
      <ErrorNote error={work.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('moving.cancel')}
        </button>
      </footer>
    </div>
  );
}

function Unlock({ work, onClose }: { work: Import; onClose(): void }) {
  const [passphrase, setPassphrase] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (passphrase !== '' && !work.busy) void work.look(passphrase);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t('moving.wantsPassphrase')}</p>
      <Field
        label={t('moving.passphrase')}
        type="password"
        autoComplete="off"
        autoFocus
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <ErrorNote error={work.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('moving.cancel')}
        </button>
        <button type="submit" className="button is-primary" disabled={passphrase === '' || work.busy}>
          {work.busy ? t('moving.opening') : t('moving.open')}
        </button>
      </footer>
    </form>
  );
}

function CameIn({ imported, onClose }: { imported: Imported; onClose(): void }) {
  return (
    <div className="stack">
      <ul className="outcome" role="status">
        {imported.agents.map((one) => (
          <li key={one.from} className={one.imported ? 'is-good' : 'is-bad'}>
            <Icon name={one.imported ? 'check' : 'warning'} size={14} />
            <div>
              <p>
                <strong>
                  {one.imported ? t('moving.cameIn', { id: one.id }) : t('moving.stayedOut', { id: one.id })}
                </strong>{' '}
                {visibleLine(localize(one.note))}
              </p>
              {one.imported && (
                <button
                  type="button"
                  className="button is-small"
                  onClick={() => {
                    onClose();
                    go({ view: 'agents', agent: one.id });
                  }}
                >
                  {t('moving.openAgent', { id: one.id })}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {imported.notes.map((note) => (
        <p key={englishText(note)} className="soft">
          {visibleLine(localize(note))}
        </p>
      ))}
      <footer className="dialog-foot">
        <button type="button" className="button is-primary" onClick={onClose}>
          {t('moving.done')}
        </button>
      </footer>
    </div>
  );
}

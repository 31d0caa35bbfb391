import { useState } from 'react';
import type { MethodOutput } from '../../../contract/methods.ts';
import { t } from '../../../language/texts.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ExactText } from '../../parts/exact-text.tsx';
import { ErrorNote, Note } from '../../parts/notes.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';

interface LinesOf {
  readonly agent: string;
  readonly name: string;
  readonly note: MethodOutput<'memory.read'>;
  onChanged(): void;
}

/**
 * Lines of a note that the agent does not treat as instructions until the operator confirms or deletes them.
 */
export function UnconfirmedLinesCard({ agent, name, note, onChanged }: LinesOf) {
  const confirm = useAction('memory.confirm');
  const drop = useAction('memory.dropUnconfirmed');
  const [deleting, setDeleting] = useState(false);
  const { unconfirmed, versions } = note;
  if (unconfirmed === null) return null;
  const version = Math.max(0, ...versions.map((one) => one.version));
  const trust = async (): Promise<void> => {
    const result = await confirm.run({ agent, name, version });
    if (!result.ok) return;
    showNotice(t('memory.isTrusted', { name }));
    onChanged();
  };
  const remove = async (): Promise<void> => {
    const result = await drop.run({ agent, name, version });
    if (!result.ok) return;
    setDeleting(false);
    showNotice(t('memory.linesDeleted', { name }));
    onChanged();
  };
  return (
    <section className="stack" aria-label={t('memory.unconfirmedIn', { name })}>
      <Note tone="warning">
        <p>
          <strong>{t('memory.unconfirmed')}</strong>
        </p>
        <p>
          {unconfirmed.at === 0
            ? t('memory.unconfirmedWhy')
            : t.rich('memory.unconfirmedWhen', { time: () => <Ago key="at" at={unconfirmed.at} /> })}
        </p>
      </Note>
      <pre className="note-unconfirmed">
        <ExactText text={unconfirmed.text} />
      </pre>
      <ErrorNote error={confirm.error} />
      <span className="actions">
        <button type="button" className="button" disabled={confirm.busy} onClick={() => void trust()}>
          {t('memory.trust')}
        </button>
        <button type="button" className="button is-danger-quiet" onClick={() => setDeleting(true)}>
          {t('memory.deleteLines')}
        </button>
      </span>
      {deleting && (
        <Confirm
          title={t('memory.deleteTitle', { name })}
          verb={t('memory.deleteVerb')}
          busy={drop.busy}
          onConfirm={() => void remove()}
          onClose={() => setDeleting(false)}
        >
          <p>{t('memory.deleteText')}</p>
          <ErrorNote error={drop.error} />
        </Confirm>
      )}
    </section>
  );
}

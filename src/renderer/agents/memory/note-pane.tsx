import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import type { MethodOutput } from '../../../contract/methods.ts';
import { t } from '../../../language/texts.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { DiffReview } from '../../parts/diff-review.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';
import { useReplica } from '../../state/subscriptions.ts';
import { NoteHistory } from './note-history.tsx';
import { UnconfirmedLinesCard } from './unconfirmed-lines.tsx';

type Note = MethodOutput<'memory.read'>;

interface PaneOf {
  readonly agent: string;
  readonly name: string;
  onChanged(): void;
}

/** One note, read-only until edited; a save shows its diff first and adds a version to the history. */
export function NotePane({ agent, name, onChanged }: PaneOf) {
  const { link } = useReplica();
  const [note, setNote] = useState<Note | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('memory.read', { agent, name });
    if (result.ok) setNote(result.value);
    setError(result.ok ? null : result.error);
  }, [link, agent, name]);
  useEffect(() => void load(), [load]);
  const changed = (): void => {
    void load();
    onChanged();
  };
  if (note === null) return <ErrorNote error={error} />;
  const last = Math.max(0, ...note.versions.map(({ version }) => version));
  const gone = note.versions.some(({ version, removed }) => version === last && removed);
  return (
    <section className="card stack note-pane" aria-label={t('memory.note', { name })}>
      {draft === null ? (
        <>
          <NoteHead
            agent={agent}
            name={name}
            gone={gone}
            onEdit={() => setDraft(note.text)}
            onChanged={changed}
          />
          {!gone && <UnconfirmedLinesCard agent={agent} name={name} note={note} onChanged={changed} />}
          {gone ? <p className="soft">{t('memory.forgotten')}</p> : <Markdown text={note.text} />}
          <NoteHistory agent={agent} name={name} versions={note.versions} onRestored={changed} />
        </>
      ) : (
        <NoteEditor
          agent={agent}
          name={name}
          before={note.text}
          version={last}
          text={draft}
          onText={setDraft}
          onClose={() => setDraft(null)}
          onSaved={changed}
        />
      )}
    </section>
  );
}

interface HeadOf extends PaneOf {
  readonly gone: boolean;
  onEdit(): void;
}

function NoteHead({ agent, name, gone, onEdit, onChanged }: HeadOf) {
  const forget = useAction('memory.forget');
  const [asking, setAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    const result = await forget.run({ agent, name });
    if (!result.ok) return;
    setAsking(false);
    showNotice(t('memory.isForgotten', { name }));
    onChanged();
  };
  return (
    <header className="card-head">
      <h2>{name}</h2>
      <span className="actions">
        {!gone && (
          <>
            <button type="button" className="button is-small" onClick={onEdit}>
              {t('memory.edit')}
            </button>
            <button type="button" className="button is-small is-danger-quiet" onClick={() => setAsking(true)}>
              {t('memory.forget')}
            </button>
          </>
        )}
      </span>
      {asking && (
        <Confirm
          title={t('memory.forgetTitle', { name })}
          verb={t('memory.forgetVerb')}
          busy={forget.busy}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        >
          <p>{t('memory.forgetText')}</p>
          <ErrorNote error={forget.error} />
        </Confirm>
      )}
    </header>
  );
}

interface EditorOf {
  readonly agent: string;
  readonly name: string;
  readonly before: string;
  readonly version: number;
  readonly text: string;
  onText(text: string): void;
  onClose(): void;
  onSaved(): void;
}

function NoteEditor({ agent, name, before, version, text, onText, onClose, onSaved }: EditorOf) {
  const write = useAction('memory.write');
  const [review, setReview] = useState(false);
  const save = async (): Promise<void> => {
    const result = await write.run({ agent, name, text, version });
    if (!result.ok) {
      onSaved();
      return;
    }
    showNotice(t('memory.saved'));
    onSaved();
    onClose();
  };
  return (
    <>
      <textarea
        className="note-text"
        aria-label={t('memory.noteText', { name })}
        // Opened to be written in.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <footer className="form-foot">
        <button
          type="button"
          className="button is-primary"
          disabled={text === before}
          onClick={() => setReview(true)}
        >
          {t('memory.review')}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {text === before ? t('memory.close') : t('memory.discard')}
        </button>
      </footer>
      {review && (
        <DiffReview
          title={t('memory.reviewTitle', { name })}
          verb={t('memory.save')}
          before={before}
          after={text}
          busy={write.busy}
          error={write.error}
          onSave={() => void save()}
          onClose={() => setReview(false)}
        />
      )}
    </>
  );
}

import { type FormEvent, useState } from 'react';
import { t } from '../../../language/texts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { AreaField, Field } from '../../parts/field.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { useAction } from '../../state/action.ts';

interface NewOf {
  readonly agent: string;
  readonly taken: readonly string[];
  onMade(name: string): void;
  onClose(): void;
}

export function NewNote({ agent, taken, onMade, onClose }: NewOf) {
  const write = useAction('memory.write');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const fits = /^[\w-]{1,64}$/.test(name);
  const isTaken = taken.includes(name);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!fits || isTaken) return;
    const result = await write.run({ agent, name, text });
    if (!result.ok) return;
    onMade(name);
    onClose();
  };
  return (
    <Dialog title={t('memory.newNote')} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('memory.name')}
          spellCheck={false}
          maxLength={64}
          value={name}
          aria-invalid={name !== '' && (!fits || isTaken)}
          onChange={(event) => setName(event.target.value)}
          hint={isTaken ? t('memory.nameTaken') : t('memory.nameHint')}
        />
        <AreaField
          label={t('memory.text')}
          rows={8}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ErrorNote error={write.error} />
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {t('memory.cancel')}
          </button>
          <button type="submit" className="button is-primary" disabled={!fits || isTaken || write.busy}>
            {t('memory.save')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

import { type FormEvent, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';

interface RenameOf {
  readonly title: string;
  readonly now: string;
  readonly hint: string;
  readonly action: { readonly busy: boolean; readonly error: AppError | null };
  /** Resolves to true on success. */
  save(name: string): Promise<boolean>;
  onClose(): void;
}

export function RenameForm({ title, now, hint, action, save, onClose }: RenameOf) {
  const [name, setName] = useState(now);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === now || (await save(name.trim()))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('spaces.name')}
          hint={hint}
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <FormFoot action={action} label={t('spaces.rename')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

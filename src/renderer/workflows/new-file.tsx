import { type FormEvent, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { fileName, goToFile } from './addresses.ts';
import { isNewName, newWorkflow, withEnding } from './new-text.ts';
import { belowFolder } from './use-files.ts';

interface NewOf {
  readonly listing: MethodOutput<'workflows.list'>;
  /** Path of the file to copy, if already chosen. */
  readonly from?: string;
  onMade(): void;
  onClose(): void;
}

/** Creates a workflow file with a first step, or a copy of an existing file. */
export function NewWorkflowFile({ listing, from = '', onMade, onClose }: NewOf) {
  const { link } = useReplica();
  const save = useAction('workflows.save');
  const [name, setName] = useState(from === '' ? '' : fileName(from));
  const [source, setSource] = useState(from);
  const file = withEnding(name.trim());
  const isTaken = listing.files.some((one) => !one.example && belowFolder(listing.folder, one.path) === file);
  const wrong = name.trim() !== '' && (isTaken || !isNewName(file));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '' || wrong || save.busy) return;
    const read = source === '' ? null : await link.call('workflows.read', { file: source });
    if (read !== null && !read.ok) return showError(read.error);
    const text = read === null ? newWorkflow(file) : read.value.text;
    const result = await save.run({ file, text, was: null });
    if (!result.ok) return;
    onMade();
    onClose();
    goToFile(result.value.path);
  };
  return (
    <Dialog title={t('workflows.newTitle')} onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={t('workflows.fileName')}
          value={name}
          maxLength={200}
          spellCheck={false}
          aria-invalid={wrong}
          onChange={(event) => setName(event.target.value)}
          hint={
            isTaken ? t('workflows.nameTaken') : wrong ? t('workflows.nameWrong') : t('workflows.nameHint')
          }
        />
        <ChoiceField
          label={t('workflows.startFrom')}
          value={source}
          options={[
            ['', t('workflows.blank')],
            ...listing.files.map((one) => [one.path, visibleLine(one.name || fileName(one.path))] as const),
          ]}
          onChange={setSource}
        />
        <FormFoot action={save} label={t('workflows.create')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

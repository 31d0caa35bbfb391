import { type FormEvent, useMemo, useState } from 'react';
import type { WorkflowFile } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type FieldProblem, readForm, type Typed } from '../forms/read-form.ts';
import { isObject } from '../forms/schema-fields.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { goToRun } from './addresses.ts';
import { argumentFields } from './argument-fields.ts';

interface DialogOf {
  readonly file: string;
  readonly name: string;
  readonly args: WorkflowFile['args'];
  onClose(): void;
}

/** Form for typed arguments. One idempotency key per dialog, so that two clicks start one run. */
export function RunDialog({ file, name, args, onClose }: DialogOf) {
  const start = useAction('runs.start');
  const fields = useMemo(() => argumentFields(args), [args]);
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblem>>>({});
  const [key] = useState(() => crypto.randomUUID());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readForm(fields, typed);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0 || start.busy) return;
    const result = await start.run({ file, args: isObject(read.value) ? { ...read.value } : {}, key });
    if (!result.ok) return;
    onClose();
    goToRun(result.value.id);
  };
  return (
    <Dialog title={t('workflows.runTitle', { name: visibleLine(name) })} onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        {fields.length === 0 ? (
          <p>{t('workflows.noArgs')}</p>
        ) : (
          <SchemaForm fields={fields} typed={typed} problems={problems} onChange={setTyped} />
        )}
        <p className="fine">{t('workflows.runPinned')}</p>
        <FormFoot action={start} label={t('workflows.runNow')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

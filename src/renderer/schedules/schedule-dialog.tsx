import { type FormEvent, useState } from 'react';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { draftOf, type Missing, readDraft, type ScheduleDraft } from './draft.ts';
import { StartsFields } from './starts-fields.tsx';
import { WhenFields } from './when-fields.tsx';

interface DialogOf {
  /** `null` for a new one. */
  readonly schedule: ScheduleView | null;
  onClose(): void;
}

export function ScheduleDialog({ schedule, onClose }: DialogOf) {
  const [draft, setDraft] = useState(() => draftOf(schedule, Date.now()));
  const [missing, setMissing] = useState<Missing | null>(null);
  const add = useAction('schedules.add');
  const set = useAction('schedules.set');
  const change = (part: Partial<ScheduleDraft>): void => {
    setMissing(null);
    setDraft((old) => ({ ...old, ...part }));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readDraft(draft, schedule);
    if ('missing' in read) return setMissing(read.missing);
    const done = await (schedule === null ? add.run(read) : set.run({ id: schedule.id, ...read }));
    if (!done.ok) return;
    showNotice(t('schedules.saved', { name: visibleLine(done.value.name) }));
    onClose();
  };
  const title =
    schedule === null ? t('schedules.new') : t('schedules.editTitle', { name: visibleLine(schedule.name) });
  return (
    <Dialog title={title} wide onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <StartsFields draft={draft} isNew={schedule === null} onChange={change} />
        <WhenFields draft={draft} onChange={change} />
        {draft.when !== 'file' && (
          <RadioField
            label={t('schedules.catchUp')}
            value={draft.catchUp}
            options={[
              ['show', t('schedules.catchUp_show'), t('schedules.catchUp_showText')],
              ['latest', t('schedules.catchUp_latest'), t('schedules.catchUp_latestText')],
            ]}
            onChange={(catchUp) => change({ catchUp })}
          />
        )}
        <Field
          label={t('schedules.name')}
          maxLength={100}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          hint={t('schedules.nameHint')}
        />
        {missing !== null && (
          <p className="note is-error" role="alert">
            {t(`schedules.missing_${missing}`)}
          </p>
        )}
        <FormFoot action={schedule === null ? add : set} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

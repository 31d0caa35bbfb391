import { type FormEvent, useId } from 'react';
import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';
import { useRead } from '../state/use-read.ts';

interface NumberOf {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  /** Notice after it was saved. */
  readonly saved: string;
  readonly min: number;
  readonly max: number;
  stored(config: MethodOutput<'config.get'>): number;
  change(value: number): MethodInput<'config.set'>;
}

/** A card for one whole number of the settings. */
function NumberCard(props: NumberOf) {
  const { value, error, reload } = useRead('config.get');
  return (
    <>
      <ErrorNote error={error} />
      {value === null && error === null && <Skeleton words={t('settings.reading')} shape="form" card />}
      {value !== null && <NumberForm {...props} now={props.stored(value)} reload={reload} />}
    </>
  );
}

type FormOf = NumberOf & { readonly now: number; reload(): Promise<void> };

function NumberForm({ title, label, hint, saved, min, max, change, now, reload }: FormOf) {
  const heading = useId();
  const save = useAction('config.set');
  const form = useForm({ number: String(now) });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await save.run(change(Number(form.value.number)));
    if (!result.ok) return;
    showNotice(saved);
    form.discard();
    await reload();
  };
  return (
    <form className="card stack" aria-labelledby={heading} onSubmit={(event) => void submit(event)}>
      <h2 id={heading}>{title}</h2>
      <Field
        label={label}
        hint={hint}
        type="number"
        required
        min={min}
        max={max}
        step={1}
        value={form.value.number}
        onChange={(event) => form.change({ number: event.target.value })}
      />
      <FormFoot action={save} form={form} />
    </form>
  );
}

/** How many messages of one person an agent answers in an hour. */
export function SenderLimitCard() {
  return (
    <NumberCard
      title={t('upkeep.senderLimit')}
      label={t('upkeep.senderMessages')}
      hint={t('upkeep.senderMessagesHint')}
      saved={t('upkeep.senderMessagesSaved')}
      min={1}
      max={10_000}
      stored={({ senderMessages }) => senderMessages}
      change={(senderMessages) => ({ senderMessages })}
    />
  );
}

/** After how many days finished work leaves the lists. */
export function ArchiveCard() {
  return (
    <NumberCard
      title={t('upkeep.archive')}
      label={t('upkeep.archiveDays')}
      hint={t('upkeep.archiveDaysHint')}
      saved={t('upkeep.archiveDaysSaved')}
      min={0}
      max={3_650}
      stored={({ archiveDays }) => archiveDays}
      change={(archiveDays) => ({ archiveDays })}
    />
  );
}

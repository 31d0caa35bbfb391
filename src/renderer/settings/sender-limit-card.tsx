import type { FormEvent } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';
import { useRead } from '../state/use-read.ts';

/** How many messages of one person an agent answers in an hour. */
export function SenderLimitCard() {
  const { value, error, reload } = useRead('config.get');
  return (
    <>
      <ErrorNote error={error} />
      {value === null && error === null && <Skeleton words={t('settings.reading')} shape="form" card />}
      {value !== null && <SenderLimit stored={value.senderMessages} reload={reload} />}
    </>
  );
}

interface LimitOf {
  readonly stored: number;
  reload(): Promise<void>;
}

function SenderLimit({ stored, reload }: LimitOf) {
  const save = useAction('config.set');
  const form = useForm({ messages: String(stored) });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await save.run({ senderMessages: Number(form.value.messages) });
    if (!result.ok) return;
    showNotice(t('upkeep.senderMessagesSaved'));
    form.discard();
    await reload();
  };
  return (
    <form
      className="card stack"
      aria-labelledby="sender-limit-title"
      onSubmit={(event) => void submit(event)}
    >
      <h2 id="sender-limit-title">{t('upkeep.senderLimit')}</h2>
      <Field
        label={t('upkeep.senderMessages')}
        hint={t('upkeep.senderMessagesHint')}
        type="number"
        required
        min={1}
        max={10_000}
        step={1}
        value={form.value.messages}
        onChange={(event) => form.change({ messages: event.target.value })}
      />
      <FormFoot action={save} form={form} />
    </form>
  );
}

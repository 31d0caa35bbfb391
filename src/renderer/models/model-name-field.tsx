import { useId, useState } from 'react';
import type { ListedModelName } from '../../contract/agent-detail-methods.ts';
import { t } from '../../language/texts.ts';
import { relativeTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { Suggesting } from '../parts/suggesting.tsx';
import { useNow } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import type { ModelForm } from './model-form.ts';
import { hasModelList, needsModelName } from './providers.ts';

interface FieldOf {
  readonly form: ModelForm;
  /** Agent whose stored key is used for listing models, or `null` for the default key. */
  readonly agent: string | null;
  /** Saved model that an empty field means, or an empty text. */
  readonly followed: string;
  onChange(model: string): void;
}

interface Known {
  /** Provider and address of the request, so that models of one provider are not offered for another. */
  readonly asked: string;
  readonly models: readonly ListedModelName[];
  readonly at: number;
}

const placeOf = ({ provider, baseUrl }: ModelForm): string => `${provider} ${baseUrl}`;

/** Free text field that suggests the models listed by the provider. */
export function ModelNameField({ form, agent, followed, onChange }: FieldOf) {
  const id = useId();
  const list = useAction('models.list');
  const [known, setKnown] = useState<Known | null>(null);
  const now = known !== null && known.asked === placeOf(form) ? known : null;
  const ask = async (): Promise<void> => {
    const result = await list.run({
      provider: form.provider,
      baseUrl: form.baseUrl,
      fresh: now !== null,
      ...(agent === null ? {} : { agent }),
      ...(form.apiKey === '' ? {} : { apiKey: form.apiKey }),
    });
    if (result.ok) setKnown({ asked: placeOf(form), ...result.value });
  };
  return (
    <div className="field">
      <label htmlFor={id}>{t('runtime.model')}</label>
      <div className="field-with-button">
        <Suggesting
          id={id}
          described={`${id}-hint`}
          label={t('runtime.modelsOffered')}
          placeholder={
            visibleLine(followed) ||
            t(needsModelName(form.provider) ? 'runtime.firstModel' : 'runtime.usualModel')
          }
          value={form.model}
          offers={(now?.models ?? []).map((one) => [one.id, visibleLine(one.name)] as const)}
          onChange={onChange}
        />
        {hasModelList(form.provider) && (
          <button type="button" className="button" disabled={list.busy} onClick={() => void ask()}>
            {list.busy ? t('runtime.asking') : now === null ? t('runtime.askModels') : t('runtime.askAgain')}
          </button>
        )}
      </div>
      <div id={`${id}-hint`} role="status" className="field-hint">
        {now !== null && <Offered known={now} />}
      </div>
      <ErrorNote error={list.error}>
        <p className="note-hint">{t('runtime.noList')}</p>
      </ErrorNote>
    </div>
  );
}

function Offered({ known }: { known: Known }) {
  const now = useNow();
  return t('runtime.modelsKnown', { count: known.models.length, when: relativeTime(known.at, now) });
}

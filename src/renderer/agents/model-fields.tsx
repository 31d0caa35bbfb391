import { t } from '../../language/texts.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import type { ModelForm } from './model-form.ts';
import { ModelNameField } from './model-name-field.tsx';
import { providerOptions } from './providers.ts';

interface FieldsOf {
  readonly form: ModelForm;
  /** Offers "automatic"; false for the default model, which has no default to follow. */
  readonly automatic: boolean;
  readonly keySet: boolean;
  /** Absent for the default model of all agents. */
  readonly agent?: string;
  change(part: Partial<ModelForm>): void;
}

/** Fields for provider, model, address and key, shared by every form that chooses a model. */
export function ModelFields({ form, automatic, keySet, agent, change }: FieldsOf) {
  const options = providerOptions(form.provider);
  return (
    <>
      <ChoiceField
        label={t('runtime.provider')}
        value={form.provider}
        options={automatic ? options : options.filter(([key]) => key !== '')}
        onChange={(provider) => change({ provider })}
      />
      <ModelNameField form={form} agent={agent ?? null} onChange={(model) => change({ model })} />
      <Field
        label={t('runtime.baseUrl')}
        type="url"
        spellCheck={false}
        value={form.baseUrl}
        placeholder={t('runtime.ownUrl')}
        onChange={(event) => change({ baseUrl: event.target.value })}
        hint={addressHint(form.provider)}
      />
      <Field
        label={t('runtime.apiKey')}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={form.apiKey}
        placeholder={keySet ? t('runtime.keyStored') : t('runtime.noKeyStored')}
        onChange={(event) => change({ apiKey: event.target.value })}
        hint={keySet ? t('runtime.replaceKey') : t('runtime.keyHint')}
      />
    </>
  );
}

function addressHint(provider: string): string | undefined {
  if (provider === 'openai-compatible') return t('runtime.compatibleHint');
  return provider === 'kennel-proxy' ? t('runtime.proxyHint') : undefined;
}

import { ChoiceField, Field } from '../parts/field.tsx';
import { providerOptions, providers } from './providers.ts';

export interface ModelForm {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface FieldsOf {
  readonly form: ModelForm;
  /** Nobody chooses "automatic" for the default itself. */
  readonly automatic: boolean;
  readonly keySet: boolean;
  change(part: Partial<ModelForm>): void;
}

/** Provider, model, address and key: the same four wherever a model is chosen. */
export function ModelFields({ form, automatic, keySet, change }: FieldsOf) {
  const options = providerOptions(form.provider);
  return (
    <>
      <ChoiceField
        label="Provider"
        value={form.provider}
        options={automatic ? options : options.filter(([key]) => key !== '')}
        onChange={(provider) => change({ provider })}
      />
      <Field
        label="Model"
        spellCheck={false}
        value={form.model}
        placeholder="The provider’s usual one"
        onChange={(event) => change({ model: event.target.value })}
      />
      <Field
        label="Base URL"
        type="url"
        spellCheck={false}
        value={form.baseUrl}
        placeholder="The provider’s own"
        onChange={(event) => change({ baseUrl: event.target.value })}
        hint={providers.some(([key]) => key === form.provider) ? addressHints[form.provider] : undefined}
      />
      <Field
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={form.apiKey}
        placeholder={keySet ? 'A key is stored' : 'None stored'}
        onChange={(event) => change({ apiKey: event.target.value })}
        hint={
          keySet
            ? 'Write a new key to replace the stored one. A stored key is never shown again.'
            : 'Goes sealed into the store on this computer and is never shown again.'
        }
      />
    </>
  );
}

const addressHints: Readonly<Record<string, string>> = {
  'openai-compatible': 'Any address that speaks the OpenAI protocol.',
  'kennel-proxy': 'The address the other Kennel shows with its token; the token goes in as the key.',
};

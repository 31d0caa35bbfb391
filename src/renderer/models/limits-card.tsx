import type { FormEvent } from 'react';
import type { AgentDetail } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';

type Settings = AgentDetail['modelSettings'];
type ToolCalls = 'auto' | 'native' | 'text';

interface Fields {
  readonly contextWindow: string;
  readonly maxOutputTokens: string;
  readonly temperature: string;
  readonly input: string;
  readonly output: string;
  readonly calls: ToolCalls;
}

const fieldsOf = ({ contextWindow, maxOutputTokens, temperature, nativeTools, price }: Settings): Fields => ({
  contextWindow: String(contextWindow ?? ''),
  maxOutputTokens: String(maxOutputTokens ?? ''),
  temperature: String(temperature ?? ''),
  input: String(price?.input ?? ''),
  output: String(price?.output ?? ''),
  calls: nativeTools === null ? 'auto' : nativeTools ? 'native' : 'text',
});

const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Keeps the stored cache prices if neither the input nor the output price changed. */
function priceOf({ input, output }: Fields, before: Settings['price']): Settings['price'] {
  const [read, written] = [numberIn(input), numberIn(output)];
  if (read === null || written === null) return null;
  return read === before?.input && written === before?.output ? before : { input: read, output: written };
}

const toolCalls = (): readonly (readonly [ToolCalls, string])[] => [
  ['auto', t('runtime.toolCallsAuto')],
  ['native', t('runtime.toolCallsNative')],
  ['text', t('runtime.toolCallsText')],
];

interface CardOf {
  readonly agent: string;
  readonly settings: Settings;
  readonly version: string;
  /** The stored values may be others now. */
  onChanged(): void;
}

/** Limits and price of the model; an empty field uses the provider's value. */
export function LimitsCard({ agent, settings, version, onChanged }: CardOf) {
  const set = useAction('agents.setModel');
  const form = useForm(fieldsOf(settings));
  const { value: fields } = form;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await set.run({
      agent,
      version,
      contextWindow: numberIn(fields.contextWindow),
      maxOutputTokens: numberIn(fields.maxOutputTokens),
      temperature: numberIn(fields.temperature),
      nativeTools: fields.calls === 'auto' ? null : fields.calls === 'native',
      price: priceOf(fields, settings.price),
    });
    if (result.ok) {
      showNotice(t('runtime.saved'));
      form.discard();
    }
    onChanged();
  };
  const field = (
    name: Exclude<keyof Fields, 'calls'>,
    step: number | 'any',
    more: { min: number; max?: number; required?: boolean },
  ) => (
    <Field
      label={t(`runtime.${name}`)}
      type="number"
      step={step}
      {...more}
      placeholder={t('runtime.fromProvider')}
      value={fields[name]}
      onChange={(event) => form.change({ [name]: event.target.value })}
    />
  );
  return (
    <form
      className="card stack one-form"
      aria-labelledby="model-settings-title"
      onSubmit={(event) => void submit(event)}
    >
      <h2 id="model-settings-title">{t('runtime.settingsTitle')}</h2>
      <p className="soft">{t('runtime.settingsHint')}</p>
      <div className="budget-fields">
        {field('contextWindow', 1, { min: 1024 })}
        {field('maxOutputTokens', 1, { min: 16 })}
        {field('temperature', 'any', { min: 0, max: 2 })}
        <ChoiceField
          label={t('runtime.toolCalls')}
          value={fields.calls}
          options={toolCalls()}
          onChange={(calls: ToolCalls) => form.change({ calls })}
        />
        {field('input', 'any', { min: 0, required: fields.output !== '' })}
        {field('output', 'any', { min: 0, required: fields.input !== '' })}
      </div>
      <FormFoot action={set} form={form} label={t('runtime.settingsSave')} />
    </form>
  );
}

import { type FormEvent, useState } from 'react';
import type { AgentDetail } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';

type Settings = AgentDetail['modelSettings'];
type ToolCalls = 'auto' | 'native' | 'text';

interface Texts {
  readonly contextWindow: string;
  readonly maxOutputTokens: string;
  readonly temperature: string;
  readonly input: string;
  readonly output: string;
}

const textsOf = ({ contextWindow, maxOutputTokens, temperature, price }: Settings): Texts => ({
  contextWindow: String(contextWindow ?? ''),
  maxOutputTokens: String(maxOutputTokens ?? ''),
  temperature: String(temperature ?? ''),
  input: String(price?.input ?? ''),
  output: String(price?.output ?? ''),
});

const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Keeps the stored cache prices if neither the input nor the output price changed. */
function priceOf({ input, output }: Texts, before: Settings['price']): Settings['price'] {
  const [read, written] = [numberIn(input), numberIn(output)];
  if (read === null || written === null) return null;
  return read === before?.input && written === before?.output ? before : { input: read, output: written };
}

const toolCalls = (): readonly (readonly [ToolCalls, string])[] => [
  ['auto', t('runtime.toolCallsAuto')],
  ['native', t('runtime.toolCallsNative')],
  ['text', t('runtime.toolCallsText')],
];

const callsOf = ({ nativeTools }: Settings): ToolCalls =>
  nativeTools === null ? 'auto' : nativeTools ? 'native' : 'text';

interface CardOf {
  readonly agent: string;
  readonly settings: Settings;
  onSaved(): void;
}

/** Limits and price of the model; an empty field uses the provider's value. */
export function ModelSettingsCard({ agent, settings, onSaved }: CardOf) {
  const set = useAction('agents.setModel');
  const [texts, setTexts] = useState<Texts>(textsOf(settings));
  const [calls, setCalls] = useState<ToolCalls>(callsOf(settings));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await set.run({
      agent,
      contextWindow: numberIn(texts.contextWindow),
      maxOutputTokens: numberIn(texts.maxOutputTokens),
      temperature: numberIn(texts.temperature),
      nativeTools: calls === 'auto' ? null : calls === 'native',
      price: priceOf(texts, settings.price),
    });
    if (!result.ok) return;
    say(t('runtime.saved'));
    onSaved();
  };
  const field = (
    name: keyof Texts,
    step: number | 'any',
    more: { min: number; max?: number; required?: boolean },
  ) => (
    <Field
      label={t(`runtime.${name}`)}
      type="number"
      step={step}
      {...more}
      placeholder={t('runtime.fromProvider')}
      value={texts[name]}
      onChange={(event) => setTexts((old) => ({ ...old, [name]: event.target.value }))}
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
          value={calls}
          options={toolCalls()}
          onChange={(next: ToolCalls) => setCalls(next)}
        />
        {field('input', 'any', { min: 0, required: texts.output !== '' })}
        {field('output', 'any', { min: 0, required: texts.input !== '' })}
      </div>
      <FormFoot action={set} label={t('runtime.settingsSave')} />
    </form>
  );
}

import { findHarness, sdkHarness } from '../../contract/harnesses.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField, Field, SwitchField } from '../parts/field.tsx';
import { useHost } from '../state/subscriptions.ts';
import { FindModels } from './find-models.tsx';
import { type AgentModel, type ModelForm, savedAddress, savedFields, savedModel } from './model-form.ts';
import { ModelNameField } from './model-name-field.tsx';
import { ModelTest } from './model-test.tsx';
import { providerName, providerNeed, providerOptions } from './providers.ts';
import type { ConfigView } from './use-model-settings.ts';

interface FieldsOf {
  readonly form: ModelForm;
  readonly settings: ConfigView | null;
  /** For an agent: offers the model of all agents, and to use this one for all. */
  readonly agent?: {
    /** Absent for a new agent. */
    readonly id?: string;
    readonly hasKey: boolean;
    /** Absent for an agent without a model of its own. */
    readonly own?: AgentModel;
  };
  change(part: Partial<ModelForm>): void;
  /** Opens the search for models at once. */
  readonly finding?: boolean;
  /** The program that runs the agent, which supports some providers only; `null` if Kennel itself does. */
  readonly program?: string | null;
}

/** The one way to choose a model: provider, key or address, model, test; shared by every form that does. */
export function ModelFields({ form, settings, agent, change, finding = false, program = null }: FieldsOf) {
  const demo = useHost((host) => host?.demo ?? false);
  const options = optionsFor(program, form.provider, demo);
  const need = providerNeed(form.provider);
  const forAll = agent === undefined || form.forAll;
  const choose = (provider: string, model = ''): void =>
    change(savedFields({ settings, provider, model, own: agent?.own, forAll }));
  const asker = forAll ? null : (agent?.id ?? null);
  // A new agent of its own choice follows the saved address of the provider.
  const inherited = forAll || asker !== null ? '' : savedAddress(settings, form.provider);
  const asked = { ...form, baseUrl: form.baseUrl || inherited };
  return (
    <>
      <ChoiceField
        label={t('runtime.provider')}
        value={form.provider}
        options={agent === undefined ? options.filter(([key]) => key !== '') : options}
        onChange={choose}
      />
      <FindModels form={form} open={finding} onPick={choose} />
      {form.provider === '' && <p className="soft">{automaticWords(settings, program)}</p>}
      {form.provider === 'scripted' && <p className="soft">{t('runtime.scriptedMeans')}</p>}
      {need !== 'nothing' && (
        <>
          {need !== 'address' && <KeyField form={form} settings={settings} agent={agent} change={change} />}
          {need !== 'key' && <AddressField form={form} change={change} />}
          <ModelNameField
            form={asked}
            agent={asker}
            followed={agent === undefined ? '' : savedModel(settings, form.provider)}
            onChange={(model) => change({ model })}
          />
          {need !== 'both' && (
            <details className="more-fields">
              <summary>{t('runtime.moreFields')}</summary>
              {need === 'key' ? (
                <AddressField form={form} change={change} />
              ) : (
                <KeyField form={form} settings={settings} agent={agent} change={change} />
              )}
            </details>
          )}
        </>
      )}
      {form.provider !== 'scripted' && <ModelTest form={asked} agent={asker} />}
      {agent !== undefined && need !== 'nothing' && settings !== null && (
        <SwitchField
          label={t('runtime.forAll')}
          hint={t('runtime.forAllHint')}
          checked={form.forAll}
          onChange={(checked) =>
            change({ forAll: checked, baseUrl: form.baseUrl || savedAddress(settings, form.provider) })
          }
        />
      )}
    </>
  );
}

/** A program supports some providers only, and cannot follow the script. */
function optionsFor(program: string | null, current: string, demo: boolean) {
  const supported = program === sdkHarness ? ['anthropic'] : findHarness(program ?? '')?.providers;
  if (!supported) return providerOptions(current, demo);
  return providerOptions(current, false).filter(([key]) => ['', current, ...supported].includes(key));
}

function automaticWords(settings: ConfigView | null, program: string | null): string {
  if (program !== null) return t('programs.automaticModel');
  if (settings === null) return '';
  const { inUse } = settings;
  if (inUse === null) return t('runtime.automaticNone');
  if (inUse.scripted) return t('runtime.automaticScript');
  return t('runtime.automaticNow', {
    provider: providerName(inUse.provider),
    model: visibleLine(inUse.model),
  });
}

type PartOf = Pick<FieldsOf, 'form' | 'change'>;

function AddressField({ form, change }: PartOf) {
  return (
    <Field
      label={t('runtime.baseUrl')}
      type="url"
      spellCheck={false}
      value={form.baseUrl}
      placeholder={t('runtime.ownUrl')}
      onChange={(event) => change({ baseUrl: event.target.value })}
      hint={addressHint(form.provider)}
    />
  );
}

function KeyField({
  form,
  settings,
  agent,
  change,
}: PartOf & {
  readonly settings: ConfigView | null;
  readonly agent: FieldsOf['agent'] | undefined;
}) {
  const where = settings?.keys[form.provider];
  const stored = where === 'stored' || agent?.hasKey === true;
  return (
    <Field
      label={t('runtime.apiKey')}
      type="password"
      autoComplete="off"
      spellCheck={false}
      value={form.apiKey}
      placeholder={stored ? t('runtime.keyStored') : t('runtime.noKeyStored')}
      onChange={(event) => change({ apiKey: event.target.value })}
      hint={
        stored
          ? t('runtime.replaceKey')
          : where === 'environment'
            ? t('runtime.keyInEnvironment')
            : t('runtime.keyHint')
      }
    />
  );
}

function addressHint(provider: string): string | undefined {
  if (provider === 'openai-compatible') return t('runtime.compatibleHint');
  return provider === 'kennel-proxy' ? t('runtime.proxyHint') : undefined;
}

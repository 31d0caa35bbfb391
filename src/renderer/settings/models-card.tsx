import type { FormEvent } from 'react';
import { locale, t } from '../../language/texts.ts';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm } from '../models/model-form.ts';
import { providerName } from '../models/providers.ts';
import { saveInput } from '../models/save-input.ts';
import { type ConfigView, useModelSettings } from '../models/use-model-settings.ts';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** The model of all agents without one of their own. */
export function ModelsCard() {
  const { value, error, reload } = useModelSettings();
  return (
    <>
      <ErrorNote error={error} />
      {value === null && error === null && <Skeleton words={t('settings.reading')} shape="form" card />}
      {value !== null && <DefaultModel settings={value} reload={reload} />}
    </>
  );
}

function storedForm({ defaultProvider, providers }: ConfigView): ModelForm {
  const { model = '', baseUrl = '' } = providers[defaultProvider] ?? {};
  return { ...blankModel, provider: defaultProvider, model, baseUrl };
}

interface DefaultOf {
  readonly settings: ConfigView;
  reload(): Promise<void>;
}

function DefaultModel({ settings, reload }: DefaultOf) {
  const { link } = useReplica();
  const save = useAction('config.set');
  const form = useForm(storedForm(settings));
  const { busy, submit } = useSubmit(async () => {
    const input = await saveInput({ link, form: form.value, agent: null, isDefault: true });
    const result = await save.run({ ...input, defaultProvider: input.provider, version: settings.version });
    if (result.ok) {
      showNotice(t('providers.modelSaved'));
      form.discard();
    }
    await reload();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit();
  };
  return (
    <form className="card stack" aria-labelledby="models-title" onSubmit={onSubmit}>
      <h2 id="models-title">{t('providers.defaultModel')}</h2>
      <p className="soft">{nowWords(settings)}</p>
      <KeysNow keys={settings.keys} />
      <ModelFields form={form.value} settings={settings} change={form.change} />
      <FormFoot action={{ busy, error: save.error }} form={form} onUnlocked={submit}>
        <span className="soft">
          {t.rich('providers.allIn', { path: () => <code className="path">{settings.path}</code> })}
        </span>
      </FormFoot>
    </form>
  );
}

function nowWords({ inUse, defaultProvider }: ConfigView): string {
  if (inUse === null) return t('providers.noneInUse');
  if (inUse.scripted) return t('providers.scriptInUse');
  const { model } = inUse;
  const provider = providerName(inUse.provider);
  return inUse.provider === defaultProvider
    ? t('providers.inUse', { model, provider })
    : t('providers.inUseInstead', { model, provider, wanted: providerName(defaultProvider) });
}

const placeWords = (where: string): string =>
  where === 'stored'
    ? t('providers.keyStored')
    : where === 'environment'
      ? t('providers.keyEnvironment')
      : where;

function KeysNow({ keys }: { keys: Readonly<Record<string, string>> }) {
  const known = Object.entries(keys).filter(([, where]) => where !== 'none');
  const list = known.map(([provider, where]) =>
    t('providers.keyAt', { provider: providerName(provider), place: placeWords(where) }),
  );
  return (
    <p className="soft">
      {known.length === 0
        ? t('providers.noKeys')
        : t('providers.keys', {
            list: new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }).format(list),
          })}
    </p>
  );
}

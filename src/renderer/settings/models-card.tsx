import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { locale, t } from '../../language/texts.ts';
import { ModelFields } from '../agents/model-fields.tsx';
import type { ModelForm } from '../agents/model-form.ts';
import { providerName } from '../agents/providers.ts';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

type Config = MethodOutput<'config.get'>;

function useConfig(): readonly [Config | null, () => void] {
  const { link } = useReplica();
  const [config, setConfig] = useState<Config | null>(null);
  const load = useCallback(
    () => void link.call('config.get', {}).then((result) => result.ok && setConfig(result.value)),
    [link],
  );
  useEffect(load, [load]);
  return [config, load];
}

const blank: ModelForm = { provider: 'openai', model: '', baseUrl: '', apiKey: '' };

export function ModelsCard() {
  const [config, reload] = useConfig();
  const save = useAction('config.set');
  const [form, setForm] = useState(blank);
  const change = (part: Partial<ModelForm>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { provider, model, baseUrl, apiKey } = form;
    const result = await save.run({
      defaultProvider: provider,
      provider,
      ...(model === '' ? {} : { model }),
      ...(baseUrl === '' ? {} : { baseUrl }),
      ...(apiKey === '' ? {} : { apiKey }),
    });
    if (!result.ok) return;
    change({ apiKey: '' });
    say(t('providers.modelSaved'));
    reload();
  };
  const keyStored = config?.keys[form.provider] === 'stored';
  return (
    <form className="card stack" aria-labelledby="models-title" onSubmit={(event) => void submit(event)}>
      <h2 id="models-title">{t('providers.defaultModel')}</h2>
      <KeysNow keys={config?.keys ?? {}} />
      <ModelFields form={form} automatic={false} keySet={keyStored} change={change} />
      <FormFoot action={save}>
        {config !== null && (
          <span className="soft">
            {t.rich('providers.allIn', { path: () => <code className="path">{config.path}</code> })}
          </span>
        )}
      </FormFoot>
    </form>
  );
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

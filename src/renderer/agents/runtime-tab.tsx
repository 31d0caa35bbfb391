import { type FormEvent, type ReactNode, useState } from 'react';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { type RuntimeKind, runtimeKinds } from '../../contract/runtime-kinds.ts';
import { localize, t } from '../../language/texts.ts';
import { ChoiceField } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import type { Detail } from './agent-detail.ts';
import { ModelFields } from './model-fields.tsx';
import type { ModelForm } from './model-form.ts';
import { ModelSettingsCard } from './model-settings-card.tsx';

export function RuntimeTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  if (detail === null) return <Skeleton words={t('runtime.reading')} shape="form" count={6} card />;
  const { kind, provider, model, baseUrl } = detail.runtime;
  const { modelSettings } = detail;
  return (
    <div className="stack">
      <ModelCard
        key={[kind, provider, model, baseUrl].join(' ')}
        agent={agent}
        detail={detail}
        onSaved={reload}
      />
      <ModelSettingsCard
        key={JSON.stringify(modelSettings)}
        agent={agent.id}
        settings={modelSettings}
        onSaved={reload}
      />
    </div>
  );
}

const kindNames: Readonly<Record<RuntimeKind, () => string>> = {
  'chat-local': () => t('runtime.chatLocal'),
  'sdk-local': () => t('runtime.sdkLocal'),
  'cli-local': () => t('runtime.cliLocal'),
  'cli-docker': () => t('runtime.cliDocker'),
};

const kinds = () => runtimeKinds.map((kind): [RuntimeKind, string] => [kind, kindNames[kind]()]);

interface CardOf {
  readonly agent: AgentSummary;
  readonly detail: AgentDetail;
  onSaved(): void;
}

const bold = (chunks: ReactNode) => <strong key="what">{chunks}</strong>;

const inUse = (agent: AgentSummary): string =>
  agent.scripted
    ? t('runtime.scriptedHelper')
    : visibleLine(agent.model || agent.provider) || t('runtime.noModel');

function ModelCard({ agent, detail, onSaved }: CardOf) {
  const { runtime } = detail;
  const set = useAction('agents.setRuntime');
  const [kind, setKind] = useState<RuntimeKind>(runtime.kind);
  const [form, setForm] = useState<ModelForm>({
    provider: runtime.provider,
    model: runtime.model,
    baseUrl: runtime.baseUrl,
    apiKey: '',
  });
  const change = (part: Partial<ModelForm>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { apiKey, ...rest } = form;
    const result = await set.run({
      agent: agent.id,
      ...rest,
      ...(kind === runtime.kind ? {} : { kind }),
      ...(apiKey === '' ? {} : { apiKey }),
    });
    if (!result.ok) return;
    change({ apiKey: '' });
    say(result.value.warning === '' ? t('runtime.saved') : localize(result.value.warning));
    onSaved();
  };
  return (
    <form
      className="card stack one-form"
      aria-labelledby="model-title"
      onSubmit={(event) => void submit(event)}
    >
      <h2 id="model-title">{t('runtime.title')}</h2>
      <p className="soft">{t.rich('runtime.nowUsing', { what: inUse(agent), b: bold })}</p>
      <ChoiceField
        label={t('runtime.kind')}
        value={kind}
        options={kinds()}
        onChange={(next: RuntimeKind) => setKind(next)}
      />
      <ModelFields form={form} automatic agent={agent.id} keySet={runtime.apiKeySet} change={change} />
      <FormFoot action={set} />
    </form>
  );
}

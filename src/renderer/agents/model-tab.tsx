import type { FormEvent, ReactNode } from 'react';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { LimitsCard } from '../models/limits-card.tsx';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm } from '../models/model-form.ts';
import { saveInput } from '../models/save-input.ts';
import { useModelSettings } from '../models/use-model-settings.ts';
import { FormFoot } from '../parts/form-foot.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { ProgramCard } from '../runtimes/program-card.tsx';
import { programOf, type Runner, RuntimeChoice } from '../runtimes/runtime-choice.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { Detail } from './agent-detail.ts';
import { ContainerFields } from './container-card.tsx';
import { ProgramLimitFields, type ProgramLimitsForm } from './program-limits.tsx';
import { ThinkingCard } from './tools/habit-cards.tsx';

export function ModelTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  if (detail === null) return <Skeleton words={t('runtime.reading')} shape="form" count={6} card />;
  const { modelSettings, versions } = detail;
  return (
    <div className="stack">
      <ModelCard agent={agent} detail={detail} onChanged={reload} />
      <ProgramCard agent={agent.id} />
      <ThinkingCard agent={agent.id} />
      <LimitsCard agent={agent.id} settings={modelSettings} version={versions.limits} onChanged={reload} />
    </div>
  );
}

interface CardOf {
  readonly agent: AgentSummary;
  readonly detail: AgentDetail;
  onChanged(): void;
}

const bold = (chunks: ReactNode) => <strong key="what">{chunks}</strong>;

const inUse = (agent: AgentSummary): string =>
  agent.scripted
    ? t('runtime.scriptedHelper')
    : visibleLine(agent.model || agent.provider) || t('runtime.noModel');

type AgentForm = ModelForm & Runner & ProgramLimitsForm & { readonly dockerImage: string };

const noKeys = {};

const usualHarness = 'claude-code';

const storedForm = ({
  runtime: { kind, harness, provider, model, baseUrl, permissionMode, maxTurns, dockerImage },
}: AgentDetail): AgentForm => ({
  ...blankModel,
  permissionMode,
  dockerImage,
  maxTurns: String(maxTurns),
  kind,
  harness: runtimeKindFacts(kind).usesHarness ? harness || usualHarness : '',
  provider,
  model,
  baseUrl,
});

function ModelCard({ agent, detail, onChanged }: CardOf) {
  const { runtime, versions } = detail;
  const { link } = useReplica();
  const settings = useModelSettings();
  const setOwn = useAction('agents.setRuntime');
  const setAll = useAction('setup.useModel');
  const form = useForm(storedForm(detail));
  const { forAll, kind, harness, permissionMode, maxTurns, dockerImage } = form.value;
  const save = async () => {
    const input = await saveInput({ link, form: form.value, agent: agent.id, isDefault: false });
    const chosen = { agent: agent.id, ...input };
    const kindChange = kind === runtime.kind ? {} : { kind };
    const harnessChange = harness === '' || harness === runtime.harness ? {} : { harness };
    const whole = { ...chosen, ...kindChange, ...harnessChange };
    const limits = {
      ...(permissionMode === runtime.permissionMode ? {} : { permissionMode }),
      ...(dockerImage === runtime.dockerImage ? {} : { dockerImage }),
      ...(maxTurns === String(runtime.maxTurns) ? {} : { maxTurns: Number(maxTurns) }),
    };
    if (forAll) return setAll.run({ ...whole, forAll, configVersion: settings.value?.version });
    return setOwn.run({ ...whole, ...limits, version: versions.model });
  };
  const { busy, submit } = useSubmit(async () => {
    const result = await save();
    if (result.ok) {
      showNotice(result.value.warning === '' ? t('runtime.saved') : localize(result.value.warning));
      form.discard();
    }
    void settings.reload();
    onChanged();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit();
  };
  return (
    <form className="card stack one-form" aria-labelledby="model-title" onSubmit={onSubmit}>
      <h2 id="model-title">{t('runtime.title')}</h2>
      <p className="soft">{t.rich('runtime.nowUsing', { what: inUse(agent), b: bold })}</p>
      <RuntimeChoice
        value={{ kind, harness }}
        keys={settings.value?.keys ?? noKeys}
        onChange={(runner) => form.change(runner)}
      />
      {kind === 'cli-docker' && (
        <ContainerFields
          agent={agent.id}
          image={dockerImage}
          onImage={(image) => form.change({ dockerImage: image })}
        />
      )}
      <ModelFields
        form={form.value}
        settings={settings.value}
        agent={{ id: agent.id, hasKey: runtime.apiKeySet, own: runtime }}
        program={programOf({ kind, harness })}
        change={form.change}
      />
      {kind !== 'chat-local' && <ProgramLimitFields kind={kind} value={form.value} change={form.change} />}
      <FormFoot action={{ busy, error: (forAll ? setAll : setOwn).error }} form={form} onUnlocked={submit} />
    </form>
  );
}

import type { FormEvent, ReactNode } from 'react';
import type { HarnessView } from '../../contract/harnesses.ts';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { isRunnableKind, type RuntimeKind, runtimeKinds } from '../../contract/runtime-kinds.ts';
import { localize, t } from '../../language/texts.ts';
import { LimitsCard } from '../models/limits-card.tsx';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm } from '../models/model-form.ts';
import { saveInput } from '../models/save-input.ts';
import { useModelSettings } from '../models/use-model-settings.ts';
import { ChoiceField } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';
import { visibleLine } from '../words/visible-text.ts';
import type { Detail } from './agent-detail.ts';
import { ThinkingCard } from './tools/habit-cards.tsx';

export function ModelTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  if (detail === null) return <Skeleton words={t('runtime.reading')} shape="form" count={6} card />;
  const { modelSettings, versions } = detail;
  return (
    <div className="stack">
      <ModelCard agent={agent} detail={detail} onChanged={reload} />
      <ThinkingCard agent={agent.id} />
      <LimitsCard agent={agent.id} settings={modelSettings} version={versions.limits} onChanged={reload} />
    </div>
  );
}

const runnable = runtimeKinds.filter(isRunnableKind);

const kindName: Readonly<Record<RuntimeKind, () => string>> = {
  'chat-local': () => t('runtime.chatLocal'),
  'sdk-local': () => t('runtime.sdkLocal'),
  'cli-local': () => t('runtime.cliLocal'),
  'cli-docker': () => t('runtime.cliDocker'),
};

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

interface AgentForm extends ModelForm {
  readonly kind: RuntimeKind;
}

const storedForm = ({ runtime: { kind, provider, model, baseUrl } }: AgentDetail): AgentForm => ({
  ...blankModel,
  kind,
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
  const { forAll, kind } = form.value;
  const save = async () => {
    const input = await saveInput({ link, form: form.value, agent: agent.id, isDefault: false });
    const chosen = { agent: agent.id, ...input };
    if (forAll) return setAll.run({ ...chosen, forAll, configVersion: settings.value?.version });
    const kindChange = kind === runtime.kind ? {} : { kind };
    return setOwn.run({ ...chosen, ...kindChange, version: versions.model });
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
      <KindField stored={runtime.kind} kind={kind} change={form.change} />
      <ModelFields
        form={form.value}
        settings={settings.value}
        agent={{ id: agent.id, hasKey: runtime.apiKeySet, own: runtime }}
        change={form.change}
      />
      <FormFoot action={{ busy, error: (forAll ? setAll : setOwn).error }} form={form} onUnlocked={submit} />
    </form>
  );
}

interface KindOf {
  readonly stored: RuntimeKind;
  readonly kind: RuntimeKind;
  change(part: { kind: RuntimeKind }): void;
}

/** Offers kinds that can start on this computer, and the stored one; hidden if that leaves no choice. */
function KindField({ stored, kind, change }: KindOf) {
  const claude = useRead('harnesses.list').value?.harnesses.find(({ id }) => id === 'claude-code');
  const startable = runnable.filter((one) => one !== 'cli-local' || (claude && claude.program !== null));
  const kinds = [...new Set([stored, ...startable])];
  if (kinds.length === 1 && isRunnableKind(kind)) return null;
  return (
    <ChoiceField
      label={t('runtime.kind')}
      value={kind}
      options={kinds.map((one) => [one, kindName[one]()] as const)}
      onChange={(next: RuntimeKind) => change({ kind: next })}
      hint={kindHint(kind, claude)}
    />
  );
}

function kindHint(kind: RuntimeKind, claude: HarnessView | undefined): string | undefined {
  if (!isRunnableKind(kind)) return t('runtime.kindCannotStart');
  if (kind !== 'cli-local' || claude === undefined) return undefined;
  const { program, login, installCommand, loginCommand } = claude;
  if (program === null) return t('runtime.claudeMissing', { command: installCommand });
  const found = t('runtime.claudeFound', { version: claude.version ?? '' });
  return login === 'no' ? `${found} ${t('runtime.claudeLoggedOut', { command: loginCommand })}` : found;
}

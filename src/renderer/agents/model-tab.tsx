import type { FormEvent, ReactNode } from 'react';
import { failedChecks, findHarness, type HarnessView, sdkHarness } from '../../contract/harnesses.ts';
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
  /** The program of kinds that start one. */
  readonly harness: string;
}

const usualHarness = 'claude-code';

const storedForm = ({ runtime: { kind, harness, provider, model, baseUrl } }: AgentDetail): AgentForm => ({
  ...blankModel,
  kind,
  harness: harness || usualHarness,
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
  const { forAll, kind, harness } = form.value;
  const save = async () => {
    const input = await saveInput({ link, form: form.value, agent: agent.id, isDefault: false });
    const chosen = { agent: agent.id, ...input };
    if (forAll) return setAll.run({ ...chosen, forAll, configVersion: settings.value?.version });
    const kindChange = kind === runtime.kind ? {} : { kind };
    const isNewHarness = kind === 'cli-local' && harness !== (runtime.harness || usualHarness);
    const harnessChange = isNewHarness ? { harness } : {};
    return setOwn.run({ ...chosen, ...kindChange, ...harnessChange, version: versions.model });
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
      <KindField stored={runtime.kind} kind={kind} harness={harness} change={form.change} />
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
  readonly harness: string;
  change(part: { kind: RuntimeKind } | { harness: string }): void;
}

const canStart = ({ isRunnable, program, entry }: HarnessView): boolean =>
  isRunnable && program !== null && entry !== null;

/** Offers kinds that can start on this computer, and the stored one; hidden if that leaves no choice. */
function KindField({ stored, kind, harness, change }: KindOf) {
  const found = useRead('harnesses.list').value?.harnesses ?? [];
  const sdk = found.find(({ id }) => id === sdkHarness);
  const programs = found.filter((one) => one !== sdk);
  const needed: Partial<Record<RuntimeKind, readonly HarnessView[]>> = {
    'cli-local': programs,
    'sdk-local': sdk ? [sdk] : [],
  };
  const kinds = new Set([stored, ...runnable.filter((one) => needed[one]?.some(canStart) ?? true)]);
  const chosen = kind === 'sdk-local' ? sdk : programs.find(({ id }) => id === harness);
  if (kinds.size === 1 && isRunnableKind(kind)) return null;
  const field = (
    <ChoiceField
      label={t('runtime.kind')}
      value={kind}
      options={[...kinds].map((one) => [one, kindName[one]()] as const)}
      onChange={(next: RuntimeKind) => change({ kind: next })}
      hint={kindHint(kind, chosen)}
    />
  );
  if (kind !== 'cli-local') return field;
  const names = new Set([harness, ...programs.filter(canStart).map(({ id }) => id)]);
  return (
    <>
      {field}
      <ChoiceField
        label={t('runtime.program')}
        value={harness}
        options={[...names].map((id) => [id, findHarness(id)?.title ?? visibleLine(id)] as const)}
        onChange={(next: string) => change({ harness: next })}
        hint={chosen && programHint(chosen)}
      />
    </>
  );
}

function kindHint(kind: RuntimeKind, chosen: HarnessView | undefined): string | undefined {
  if (!isRunnableKind(kind)) return t('runtime.kindCannotStart');
  return kind === 'sdk-local' && chosen ? programHint(chosen) : undefined;
}

const asksHint = {
  always: () => t('runtime.asksAlways'),
  partly: () => t('runtime.asksPartly'),
  never: () => t('runtime.asksNever'),
};

/** The result of the canary; `null` if this version was not tested. */
function testHint({ canary }: HarnessView): string | null {
  if (canary === null) return null;
  return failedChecks(canary).length === 0 ? t('runtime.testedAsks') : t('runtime.failedTest');
}

function programHint(view: HarnessView): string {
  const { id, title, version, login, gate, installCommand, loginCommand } = view;
  if (!canStart(view)) return t('runtime.programMissing', { title, command: installCommand });
  const found = t('runtime.programFound', { title, version: version ?? '' });
  // The others get the agent's model, whoever is logged in.
  const isClaude = id === 'claude-code' || id === sdkHarness;
  const isOut = isClaude && login === 'no';
  const model = isClaude ? t('runtime.usesAnthropic') : t('runtime.usesModelHere');
  const hints = [found, testHint(view) ?? asksHint[gate](), model];
  const licence = id === sdkHarness ? [t('runtime.sdkLicence')] : [];
  return [
    ...hints,
    ...licence,
    ...(isOut ? [t('runtime.programLoggedOut', { command: loginCommand })] : []),
  ].join(' ');
}

import { type FormEvent, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { localize, t } from '../../language/texts.ts';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm, savedFields } from '../models/model-form.ts';
import { saveInput } from '../models/save-input.ts';
import { type ConfigView, useModelSettings } from '../models/use-model-settings.ts';
import { Dialog } from '../parts/dialog.tsx';
import { AreaField, Field, SwitchField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { PassphraseStep } from '../parts/passphrase-step.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import {
  kennelRunner,
  programOf,
  type Runner,
  RuntimeChoice,
  runnerInput,
} from '../runtimes/runtime-choice.tsx';
import { act, useAction, useSubmit } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgents, useHost, useReplica, useRooms } from '../state/subscriptions.ts';
import { idFrom } from './id-from.ts';
import { LengthMeter } from './identity/length-meter.tsx';
import { type TemplateName, templateOf, templateOptions } from './templates.ts';
import { noShare, ShareFields, type ShareForm, shareInput } from './tools/share-fields.tsx';

interface Form {
  readonly name: string;
  readonly template: TemplateName;
  readonly role: string;
  readonly soul: string;
  readonly register: boolean;
  /** Without a channel, the agent asks each time. */
  readonly share: ShareForm;
  readonly runner: Runner;
}

const noAgents = {};
const noKeys = {};

const begun = (): Form => ({
  name: '',
  template: 'helper',
  register: true,
  share: noShare,
  runner: kennelRunner,
  ...templateOf('helper'),
});

const lastStep = 4;
type Step = 1 | 2 | 3 | 4;

/** Without a usable model yet, the first one set up becomes the model of all agents. */
const firstModel = (settings: ConfigView | null): ModelForm =>
  settings !== null && (settings.inUse === null || settings.inUse.scripted)
    ? {
        ...blankModel,
        ...savedFields({ settings, provider: settings.defaultProvider, model: '', forAll: true }),
        forAll: true,
      }
    : blankModel;

/** The chat with an agent; its own page if it has no identity. */
const openPage = ({ id, slug }: Pick<AgentSummary, 'id' | 'slug'>): void =>
  go(slug === null ? { view: 'agents', agent: id } : { view: 'chat', room: dmRoomId(slug) });

/** Dialog of four steps: name and template, role and soul, what runs it, model. */
export function CreateAgent({ onClose }: { onClose(): void }) {
  const [form, setForm] = useState<Form>(begun);
  const [step, setStep] = useState<Step>(1);
  const { value: settings, reload } = useModelSettings();
  const [chosen, setModel] = useState<ModelForm | null>(null);
  const model = chosen ?? (programOf(form.runner) === null ? firstModel(settings) : blankModel);
  const { link } = useReplica();
  const create = useAction('agents.create');
  const useForAll = useAction('config.set');
  const operator = useHost((host) => host?.operator !== null && host?.operator !== undefined);
  const change = (part: Partial<Form>): void => setForm((old) => ({ ...old, ...part }));
  const taken = useAgents((agents) => agents ?? noAgents);
  const id = form.name.trim() === '' ? '' : idFrom(form.name, (one) => Object.hasOwn(taken, one));
  const error = create.error ?? useForAll.error;
  /** The model of all agents is saved first; the new agent then follows it. */
  const saveModel = async () => {
    const input = await saveInput({ link, form: model, agent: null, isDefault: false });
    if (!model.forAll || model.provider === '') return input;
    const version = settings === null ? {} : { version: settings.version };
    const saved = await useForAll.run({ ...input, ...version, defaultProvider: input.provider });
    await reload();
    return saved.ok ? { provider: '' } : null;
  };
  const { busy, submit } = useSubmit(async () => {
    const own = await saveModel();
    if (own === null) return;
    const result = await create.run({
      id,
      displayName: form.name.trim(),
      register: form.register && operator,
      ...(form.role.trim() === '' ? {} : { role: form.role.trim() }),
      ...(form.soul.trim() === '' ? {} : { soul: form.soul }),
      ...runnerInput(form.runner),
      ...(own.provider === '' ? {} : own),
    });
    if (!result.ok) return;
    const share = shareInput(form.share);
    if (share !== null) await act(link, 'grants.share', { agent: id, ...share });
    const { agent, note } = result.value;
    showNotice(note === '' ? t('agents.isHere', { name: form.name.trim() }) : localize(note));
    onClose();
    openPage(agent);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (id === '' || busy) return;
    if (step === lastStep) submit();
    else setStep((step + 1) as Step);
  };
  const fields = { form, id, operator, change };
  const needsPassphrase = error?.code === 'insecure_storage';
  return (
    <Dialog title={t('agents.newAgent')} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        {step === 1 && <NameStep {...fields} />}
        {step === 2 && <CharacterStep {...fields} />}
        {step === 3 && (
          <RuntimeChoice
            value={form.runner}
            keys={settings?.keys ?? noKeys}
            onChange={(runner) => change({ runner })}
          />
        )}
        {step === 4 && (
          <ModelFields
            form={model}
            settings={settings}
            agent={{ hasKey: false }}
            program={programOf(form.runner)}
            change={(part) => setModel({ ...model, ...part })}
          />
        )}
        {needsPassphrase ? <PassphraseStep onDone={submit} /> : <ErrorNote error={error} />}
        <footer className="dialog-foot">
          <span className="soft dialog-step">{t('agents.step', { step, last: lastStep })}</span>
          <button
            type="button"
            className="button"
            onClick={step === 1 ? onClose : () => setStep((step - 1) as Step)}
          >
            {step === 1 ? t('agents.cancel') : t('agents.previous')}
          </button>
          <button type="submit" className="button is-primary" disabled={id === '' || busy}>
            {step !== lastStep ? t('agents.next') : busy ? t('agents.creating') : t('agents.createVerb')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface FieldsOf {
  readonly form: Form;
  readonly id: string;
  readonly operator: boolean;
  change(part: Partial<Form>): void;
}

/** Replaces role and soul by those of the new template, but keeps each text that the operator has edited. */
function chosen({ template, role, soul }: Form, next: TemplateName): Partial<Form> {
  const before = templateOf(template);
  const after = templateOf(next);
  return {
    template: next,
    ...(role === before.role ? { role: after.role } : {}),
    ...(soul === before.soul ? { soul: after.soul } : {}),
  };
}

function NameStep({ form, id, change }: FieldsOf) {
  return (
    <>
      <Field
        label={t('agents.name')}
        autoFocus
        maxLength={60}
        value={form.name}
        onChange={(event) => change({ name: event.target.value })}
        hint={id === '' ? t('agents.nameHint') : t('agents.idHint', { id })}
      />
      <RadioField
        label={t('agents.beginWith')}
        value={form.template}
        options={templateOptions()}
        onChange={(next) => change(chosen(form, next))}
      />
    </>
  );
}

function CharacterStep({ form, operator, change }: FieldsOf) {
  return (
    <>
      <Field
        label={t('agents.role')}
        autoFocus
        maxLength={140}
        value={form.role}
        onChange={(event) => change({ role: event.target.value })}
        hint={t('agents.roleHint')}
      />
      <AreaField
        label={t('agents.soul')}
        rows={9}
        value={form.soul}
        onChange={(event) => change({ soul: event.target.value })}
        hint={t('agents.soulHint')}
      />
      <LengthMeter text={form.soul} />
      <ShareChoice form={form.share} change={(part) => change({ share: { ...form.share, ...part } })} />
      <SwitchField
        label={t('agents.register')}
        checked={form.register && operator}
        onChange={(register) => change({ register })}
        hint={operator ? t('agents.registerHint') : t('agents.registerLater')}
      />
    </>
  );
}

/** Grants a channel access to some sources at creation, so that not every answer needs an approval. */
function ShareChoice({ form, change }: { form: ShareForm; change(part: Partial<ShareForm>): void }) {
  const channels = useRooms(
    useShallow((view) => Object.values(view?.rooms ?? {}).filter(({ kind }) => kind === 'channel')),
  );
  if (channels.length === 0) return null;
  return (
    <ShareFields
      label={t('agents.shareWith')}
      hint={t('agents.shareHint')}
      nobody={t('agents.shareNobody')}
      form={form}
      channels={channels}
      change={change}
    />
  );
}

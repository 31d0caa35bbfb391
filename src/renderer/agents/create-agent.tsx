import { type FormEvent, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { localize, t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { AreaField, ChoiceField, Field, SwitchField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { act, useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useAgents, useHost, useReplica, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { idFrom } from './id-from.ts';
import { LengthMeter } from './identity/length-meter.tsx';
import { providerOptions } from './providers.ts';
import { type TemplateName, templateOf, templateOptions } from './templates.ts';

interface Form {
  readonly name: string;
  readonly template: TemplateName;
  readonly role: string;
  readonly soul: string;
  readonly provider: string;
  readonly register: boolean;
  /**
   * Id of the channel whose members may receive the agent's files, or empty to ask the operator each time.
   */
  readonly shareWith: string;
}

const noAgents = {};

const begun = (): Form => ({
  name: '',
  template: 'helper',
  provider: '',
  register: true,
  shareWith: '',
  ...templateOf('helper'),
});

/** Dialog of two steps: name and template first, then role and soul. */
export function CreateAgent({ onClose }: { onClose(): void }) {
  const [form, setForm] = useState<Form>(begun);
  const [step, setStep] = useState<1 | 2>(1);
  const { link } = useReplica();
  const create = useAction('agents.create');
  const operator = useHost((host) => host?.operator !== null && host?.operator !== undefined);
  const change = (part: Partial<Form>): void => setForm((old) => ({ ...old, ...part }));
  const taken = useAgents((agents) => agents ?? noAgents);
  const id = form.name.trim() === '' ? '' : idFrom(form.name, (one) => Object.hasOwn(taken, one));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (id === '' || create.busy) return;
    if (step === 1) return setStep(2);
    const result = await create.run({
      id,
      displayName: form.name.trim(),
      register: form.register && operator,
      ...(form.role.trim() === '' ? {} : { role: form.role.trim() }),
      ...(form.soul.trim() === '' ? {} : { soul: form.soul }),
      ...(form.provider === '' ? {} : { provider: form.provider }),
    });
    if (!result.ok) return;
    if (form.shareWith !== '')
      await act(link, 'grants.share', { agent: id, room: form.shareWith, what: ['workspace'] });
    say(
      result.value.note === '' ? t('agents.isHere', { name: form.name.trim() }) : localize(result.value.note),
    );
    onClose();
    go({ view: 'agents', agent: result.value.agent.id });
  };
  const fields = { form, id, operator, change };
  return (
    <Dialog title={t('agents.newAgent')} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {step === 1 ? <NameStep {...fields} /> : <CharacterStep {...fields} />}
        <ErrorNote error={create.error} />
        <footer className="dialog-foot">
          <span className="soft dialog-step">{t('agents.step', { step })}</span>
          <button type="button" className="button" onClick={step === 1 ? onClose : () => setStep(1)}>
            {step === 1 ? t('agents.cancel') : t('agents.previous')}
          </button>
          <button type="submit" className="button is-primary" disabled={id === '' || create.busy}>
            {step === 1 ? t('agents.next') : create.busy ? t('agents.creating') : t('agents.createVerb')}
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
      <ChoiceField
        label={t('agents.model')}
        value={form.provider}
        options={providerOptions(form.provider)}
        onChange={(provider) => change({ provider })}
      />
      <ShareChoice value={form.shareWith} onChange={(shareWith) => change({ shareWith })} />
      <SwitchField
        label={t('agents.register')}
        checked={form.register && operator}
        onChange={(register) => change({ register })}
        hint={operator ? t('agents.registerHint') : t('agents.registerLater')}
      />
    </>
  );
}

/** Grants a channel access to the files at creation, so that not every answer needs an approval. */
function ShareChoice({ value, onChange }: { value: string; onChange(room: string): void }) {
  const channels = useRooms(
    useShallow((view) => Object.values(view?.rooms ?? {}).filter(({ kind }) => kind === 'channel')),
  );
  if (channels.length === 0) return null;
  return (
    <ChoiceField
      label={t('agents.shareFiles')}
      value={value}
      options={[
        ['', t('agents.shareNobody')] as const,
        ...channels.map(({ id, name }) => [id, `#${visibleLine(name)}`] as const),
      ]}
      onChange={onChange}
      hint={t('agents.shareHint')}
    />
  );
}

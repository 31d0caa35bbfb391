import { type FormEvent, useState } from 'react';
import { localize, t } from '../../language/texts.ts';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm } from '../models/model-form.ts';
import { providerName } from '../models/providers.ts';
import { saveInput } from '../models/save-input.ts';
import { useModelSettings } from '../models/use-model-settings.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { askMakeReal, useMakingReal } from './make-real-state.ts';

/** Gives a scripted helper a real model and asks it a first question. */
export function MakeReal() {
  const agent = useMakingReal((state) => state.agent);
  return agent === null ? null : <OpenMakeReal key={agent} id={agent} />;
}

const close = (): void => askMakeReal(null);

function OpenMakeReal({ id }: { id: string }) {
  const name = visibleLine(useAgent(id)?.displayName ?? id);
  const { link } = useReplica();
  const { value: settings, reload } = useModelSettings();
  const [form, setForm] = useState<ModelForm>({ ...blankModel, provider: 'anthropic' });
  const change = (part: Partial<ModelForm>): void => setForm((old) => ({ ...old, ...part }));
  const use = useAction('setup.useModel');
  const send = useAction('chat.send');
  const { busy, submit } = useSubmit(async () => {
    const version = form.forAll ? { configVersion: settings?.version } : {};
    const input = await saveInput({ link, form, agent: id, isDefault: false });
    const done = await use.run({ agent: id, ...input, forAll: form.forAll, ...version });
    if (!done.ok) void reload();
    const sent = done.ok ? await send.run({ to: id, text: t('firstRun.testQuestion') }) : done;
    if (!done.ok || !sent.ok) return;
    const model = visibleLine(input.model || providerName(form.provider));
    showNotice(t('firstRun.nowReal', { name, model }), 'plain', localize(done.value.warning) || null);
    go({ view: 'chat', room: sent.value.roomId });
    close();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit();
  };
  return (
    <Dialog title={t('firstRun.realTitle', { name })} onClose={close}>
      <form className="stack" onSubmit={onSubmit}>
        <ModelFields form={form} settings={settings} agent={{ id, hasKey: false }} change={change} finding />
        <FormFoot
          action={{ busy, error: use.error ?? send.error }}
          label={t('firstRun.use')}
          disabled={form.provider === '' || form.provider === 'scripted'}
          onCancel={close}
          onUnlocked={submit}
        />
      </form>
    </Dialog>
  );
}

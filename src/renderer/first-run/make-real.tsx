import { type FormEvent, useState } from 'react';
import { findHarness } from '../../contract/harnesses.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ModelFields } from '../models/model-fields.tsx';
import { blankModel, type ModelForm } from '../models/model-form.ts';
import { providerName } from '../models/providers.ts';
import { saveInput } from '../models/save-input.ts';
import { useModelSettings } from '../models/use-model-settings.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import {
  kennelRunner,
  programOf,
  type Runner,
  RuntimeChoice,
  runnerInput,
} from '../runtimes/runtime-choice.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { askMakeReal, useMakingReal } from './make-real-state.ts';

/** Gives a scripted helper a real model and asks it a first question. */
export function MakeReal() {
  const agent = useMakingReal((state) => state.agent);
  return agent === null ? null : <OpenMakeReal key={agent} id={agent} />;
}

const close = (): void => askMakeReal(null);
const noKeys = {};

const usedName = (runner: Runner, provider: string): string =>
  provider === '' ? (findHarness(programOf(runner) ?? '')?.title ?? '') : providerName(provider);

function OpenMakeReal({ id }: { id: string }) {
  const name = visibleLine(useAgent(id)?.displayName ?? id);
  const { link } = useReplica();
  const { value: settings, reload } = useModelSettings();
  const [form, setForm] = useState<ModelForm>({ ...blankModel, provider: 'anthropic' });
  const [runner, setRunner] = useState<Runner>(kennelRunner);
  const program = programOf(runner);
  const usesProgram = program !== null;
  const change = (part: Partial<ModelForm>): void => setForm((old) => ({ ...old, ...part }));
  /** A program may use its own login, so it begins without a provider. */
  const choose = (next: Runner): void => {
    setRunner(next);
    change({ ...blankModel, provider: programOf(next) === null ? 'anthropic' : '' });
  };
  const use = useAction('setup.useModel');
  const send = useAction('chat.send');
  const { busy, submit } = useSubmit(async () => {
    const version = form.forAll ? { configVersion: settings?.version } : {};
    const input = await saveInput({ link, form, agent: id, isDefault: false });
    const done = await use.run({
      agent: id,
      ...runnerInput(runner),
      ...input,
      forAll: form.forAll,
      ...version,
    });
    if (!done.ok) void reload();
    const sent = done.ok ? await send.run({ to: id, text: t('firstRun.testQuestion') }) : done;
    if (!done.ok || !sent.ok) return;
    const model = visibleLine(input.model || usedName(runner, form.provider));
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
        <RuntimeChoice value={runner} keys={settings?.keys ?? noKeys} onChange={choose} />
        <ModelFields
          form={form}
          settings={settings}
          agent={{ id, hasKey: false }}
          program={program}
          change={change}
          finding={!usesProgram}
        />
        <FormFoot
          action={{ busy, error: use.error ?? send.error }}
          label={t('firstRun.use')}
          disabled={(form.provider === '' && !usesProgram) || form.provider === 'scripted'}
          onCancel={close}
          onUnlocked={submit}
        />
      </form>
    </Dialog>
  );
}

import { type FormEvent, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { AreaField, ChoiceField, SwitchField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useAgents, useHost } from '../state/subscriptions.ts';
import { idFrom } from './id-from.ts';
import { NameFields } from './name-fields.tsx';
import { providerOptions } from './providers.ts';

const blank = { name: '', role: '', soul: '', provider: '', register: true };
type Form = typeof blank;
const noAgents = {};

export function CreateAgent({ onClose }: { onClose(): void }) {
  const [form, setForm] = useState<Form>(blank);
  const create = useAction('agents.create');
  const operator = useHost((host) => host?.operator !== null && host?.operator !== undefined);
  const change = (part: Partial<Form>): void => setForm((old) => ({ ...old, ...part }));
  const taken = useAgents((agents) => agents ?? noAgents);
  const id = form.name.trim() === '' ? '' : idFrom(form.name, (one) => Object.hasOwn(taken, one));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await create.run({
      id,
      displayName: form.name.trim(),
      register: form.register && operator,
      ...(form.role.trim() === '' ? {} : { role: form.role.trim() }),
      ...(form.soul.trim() === '' ? {} : { soul: form.soul }),
      ...(form.provider === '' ? {} : { provider: form.provider }),
    });
    if (!result.ok) return;
    say(result.value.note === '' ? `${form.name.trim()} is here.` : result.value.note);
    go({ view: 'agents', agent: result.value.agent.id });
    onClose();
  };
  return (
    <Dialog title="New agent" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <CreateFields form={form} id={id} operator={operator} change={change} />
        <ErrorNote error={create.error} />
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button is-primary" disabled={id === '' || create.busy}>
            {create.busy ? 'Creating…' : 'Create agent'}
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

function CreateFields({ form, id, operator, change }: FieldsOf) {
  return (
    <>
      <NameFields
        autoFocus
        name={form.name}
        role={form.role}
        nameHint={id === '' ? 'What people call it.' : `Its folder and id will be ${id}.`}
        onName={(name) => change({ name })}
        onRole={(role) => change({ role })}
      />
      <AreaField
        label="Soul (optional)"
        rows={5}
        value={form.soul}
        onChange={(event) => change({ soul: event.target.value })}
        hint="How it speaks and what it cares about. You can write this at length later."
      />
      <ChoiceField
        label="Model"
        value={form.provider}
        options={providerOptions(form.provider)}
        onChange={(provider) => change({ provider })}
      />
      <SwitchField
        label="Register it on the server now"
        checked={form.register && operator}
        onChange={(register) => change({ register })}
        hint={
          operator
            ? 'It gets its own identity, attested by yours.'
            : 'You have no identity yet, so only the folder is made. You can connect it later.'
        }
      />
    </>
  );
}

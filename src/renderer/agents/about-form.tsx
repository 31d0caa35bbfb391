import { type FormEvent, useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { Name } from '../parts/name.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { AgentAvatar } from './agent-avatar.tsx';
import { NameFields } from './name-fields.tsx';
import { PictureField } from './picture-field.tsx';

/** Names and role: read first, edited on demand. */
export function AboutForm({ agent, onSaved }: { agent: AgentSummary; onSaved(): void }) {
  const [editing, setEditing] = useState(false);
  const done = (): void => {
    setEditing(false);
    onSaved();
  };
  return (
    <section className="card" aria-labelledby="about-agent">
      <header className="card-head">
        <h2 id="about-agent">About</h2>
        {!editing && (
          <button type="button" className="button is-small" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
      </header>
      {editing ? (
        <AboutFields agent={agent} onSaved={done} onCancel={() => setEditing(false)} />
      ) : (
        <p className={agent.role === '' ? 'soft' : 'role'}>
          {agent.role === '' ? 'No role yet. Say in one line what it is for.' : <Name>{agent.role}</Name>}
        </p>
      )}
    </section>
  );
}

interface FieldsOf {
  readonly agent: AgentSummary;
  onSaved(): void;
  onCancel(): void;
}

function AboutFields({ agent, onSaved, onCancel }: FieldsOf) {
  const edit = useAction('agents.edit');
  const [picture, setPicture] = useState<string | null>(null);
  const [form, setForm] = useState({
    displayName: agent.displayName,
    role: agent.role,
    roleShort: agent.roleShort,
  });
  const change = (part: Partial<typeof form>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const avatar = picture === null ? {} : { avatar: { base64: picture, contentType: 'image/png' } };
    const result = await edit.run({ agent: agent.id, ...form, ...avatar });
    if (!result.ok) return;
    say(result.value.warning === '' ? 'Saved.' : result.value.warning);
    onSaved();
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <PictureField now={<AgentAvatar agent={agent} />} chosen={picture} onChoose={setPicture} />
      <NameFields
        name={form.displayName}
        role={form.role}
        onName={(displayName) => change({ displayName })}
        onRole={(role) => change({ role })}
      />
      <Field
        label="Short role"
        maxLength={32}
        value={form.roleShort}
        onChange={(event) => change({ roleShort: event.target.value })}
        hint="The chip beside its name, up to 32 characters."
      />
      <FormFoot action={edit} onCancel={onCancel} />
    </form>
  );
}

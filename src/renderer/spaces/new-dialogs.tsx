import { type FormEvent, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import type { Space } from './rights.ts';

export function NewSpace({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const create = useAction('spaces.create');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await create.run({ name: name.trim() });
    if (!made.ok) return;
    onClose();
    say(`${visibleLine(name.trim())} is there, with a first channel. Invite somebody next.`);
    go({ view: 'chat', room: made.value.channelId });
  };
  return (
    <Dialog title="New space" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <p className="soft">
          A space is a team: its channels, and the people and agents who are in them. You own it, and nobody
          is in it but you until you invite them.
        </p>
        <Field
          label="Name"
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <FormFoot action={create} label="Create the space" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

const kinds = [
  ['sealed', 'Encrypted', 'Sealed on each member’s device: the server carries it and cannot read it.'],
  [
    'signed',
    'Signed, not encrypted',
    'The server can read it, and nobody can forge who wrote it. For what is public anyway.',
  ],
] as const;
type Kind = (typeof kinds)[number][0];

export function NewChannel({ space, onClose }: { space: Space; onClose(): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('sealed');
  const create = useAction('channels.create');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = name.trim().replace(/^#/, '');
    const made = await create.run({ space: space.id, name: wanted, encrypted: kind === 'sealed' });
    if (!made.ok) return;
    onClose();
    say(`#${visibleLine(wanted)} is there. Only you are in it so far.`);
    go({ view: 'chat', room: made.value.channelId });
  };
  return (
    <Dialog title={`New channel in ${visibleLine(space.name)}`} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label="Name"
          value={name}
          maxLength={100}
          required
          placeholder="release-notes"
          onChange={(event) => setName(event.target.value)}
        />
        <RadioField<Kind> label="How it travels" value={kind} options={kinds} onChange={setKind} />
        <FormFoot action={create} label="Create the channel" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

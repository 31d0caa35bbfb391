import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { openSpaceDialog } from './open-dialog.ts';
import type { ShownSpace } from './rights.ts';

export function NewSpace({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const create = useAction('spaces.create');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await create.run({ name: name.trim() });
    if (!made.ok) return;
    onClose();
    showNotice(t('spaces.spaceMade', { name: visibleLine(name.trim()) }));
    go({ view: 'chat', room: made.value.channelId });
  };
  return (
    <Dialog title={t('spaces.newSpace')} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <p className="soft">{t('spaces.newSpaceIntro')}</p>
        <Field
          label={t('spaces.name')}
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <FormFoot action={create} label={t('spaces.createSpace')} onCancel={onClose}>
          <button type="button" className="button is-plain" onClick={() => openSpaceDialog({ type: 'join' })}>
            {t('spaces.joinInstead')}
          </button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

const kinds = () =>
  [
    ['sealed', t('spaces.sealed'), t('spaces.sealedMeans')],
    ['signed', t('spaces.signed'), t('spaces.signedMeans')],
  ] as const;
type Kind = ReturnType<typeof kinds>[number][0];

export function NewChannel({ space, onClose }: { space: ShownSpace; onClose(): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('sealed');
  const create = useAction('channels.create');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = name.trim().replace(/^#/, '');
    const made = await create.run({ space: space.id, name: wanted, encrypted: kind === 'sealed' });
    if (!made.ok) return;
    onClose();
    showNotice(t('spaces.channelMade', { name: visibleLine(wanted) }));
    go({ view: 'chat', room: made.value.channelId });
  };
  return (
    <Dialog title={t('spaces.newChannelIn', { space: visibleLine(space.name) })} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('spaces.name')}
          value={name}
          maxLength={100}
          required
          placeholder={t('spaces.channelExample')}
          onChange={(event) => setName(event.target.value)}
        />
        <RadioField<Kind>
          label={t('spaces.howItTravels')}
          value={kind}
          options={kinds()}
          onChange={setKind}
        />
        <FormFoot action={create} label={t('spaces.createChannel')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

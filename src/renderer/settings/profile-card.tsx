import { type FormEvent, useState } from 'react';
import type { OwnProfile } from '../../contract/identity-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { PictureField } from '../agents/picture-field.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { Avatar } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useRead } from '../state/use-read.ts';

export function ProfileCard() {
  const own = useRead('profile.own');
  return (
    <section
      className="card stack"
      aria-labelledby="profile-title"
      aria-busy={own.value === null && own.error === null}
    >
      <h2 id="profile-title">{t('profile.title')}</h2>
      <p className="soft">{t('profile.text')}</p>
      <ErrorNote error={own.error} />
      {own.value === null && own.error === null && (
        <Skeleton words={t('settings.reading')} shape="form" count={3} />
      )}
      {own.value !== null && (
        <ProfileForm key={own.value.slug} own={own.value} onSaved={() => void own.reload()} />
      )}
    </section>
  );
}

function ProfileForm({ own, onSaved }: { own: OwnProfile; onSaved(): void }) {
  const [name, setName] = useState(own.displayName);
  const [picture, setPicture] = useState<string | null>(null);
  const edit = useAction('profile.editOwn');
  const renamed = name.trim() !== own.displayName;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await edit.run({
      ...(renamed ? { displayName: name.trim() } : {}),
      ...(picture === null ? {} : { avatar: { base64: picture, contentType: 'image/png' } }),
    });
    if (!result.ok) return;
    showNotice(localize(result.value.warning) || t('profile.saved'));
    setPicture(null);
    onSaved();
  };
  return (
    <form className="stack" onSubmit={(event) => void save(event)}>
      <PictureField
        now={<Avatar name={own.displayName} slug={own.slug} url={own.picture} agent={false} />}
        chosen={picture}
        onChoose={setPicture}
      />
      <Field
        label={t('profile.name')}
        hint={t('profile.nameHint', { slug: own.slug })}
        maxLength={60}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {own.untold && (
        <p className="soft" role="status">
          {t('profile.untold')}
        </p>
      )}
      <FormFoot action={edit} disabled={(!renamed && picture === null) || name.trim() === ''} />
    </form>
  );
}

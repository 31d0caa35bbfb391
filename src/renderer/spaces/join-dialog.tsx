import { type FormEvent, useRef, useState } from 'react';
import { readSpaceLink } from '../../contract/invite-link.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';

interface JoinOf {
  /** Link that another program opened in Kennel (T21), or empty if the reader pastes one. */
  readonly opened: string;
  onClose(): void;
}

/** Joins a space by an invite link. Names the server before the host connects to it, and the space before it joins. */
export function JoinDialog({ opened, onClose }: JoinOf) {
  const [text, setText] = useState(opened);
  const said = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<{ readonly space: string; readonly inviter: string } | null>(null);
  const look = useAction('links.look');
  const join = useAction('links.join');
  const link = readSpaceLink(text);
  const change = (next: string): void => {
    setText(next);
    setFound(null);
    look.clear();
    join.clear();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (found === null) {
      const seen = await look.run({ link: text.trim() });
      if (!seen.ok) return;
      const { spaceName, inviterName, inviterSlug } = seen.value;
      const inviter = `${visibleLine(inviterName)} (@${visibleLine(inviterSlug)})`;
      return setFound({ space: visibleLine(spaceName), inviter });
    }
    const joined = await join.run({ link: text.trim() });
    if (!joined.ok) return;
    onClose();
    showNotice(t('spaces.joined', { where: visibleLine(joined.value.spaceName) }));
  };
  const server = link === null ? '' : visibleLine(link.serverUrl);
  return (
    <Dialog
      title={t('spaces.joinByLink')}
      // The dialog comes while the reader may be typing, so no key that they press may confirm it.
      {...(opened === '' ? {} : { first: said })}
      onClose={onClose}
    >
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {opened === '' && (
          <Field
            label={t('spaces.inviteLink')}
            hint={text !== '' && link === null ? t('spaces.noLink') : t('spaces.inviteLinkHint')}
            value={text}
            autoFocus
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => change(event.target.value)}
          />
        )}
        <div aria-live="polite" tabIndex={-1} ref={said}>
          {opened !== '' && found === null && <p>{t('spaces.linkOpened')}</p>}
          {link !== null && found === null && <p>{t('spaces.linkLeadsTo', { server })}</p>}
          {found !== null && <p>{t('spaces.linkInvites', { ...found, server })}</p>}
        </div>
        <FormFoot
          action={{ busy: look.busy || join.busy, error: look.error ?? join.error }}
          label={found === null ? t('spaces.connectToServer') : t('spaces.joinSpace', { space: found.space })}
          disabled={link === null}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

import { type FormEvent, useState } from 'react';
import { isLinkSecret, readInviteLink, spaceLink } from '../../contract/invite-link.ts';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';

export const usualServer = 'https://chat.puffo.ai/relay';
const noForm = { serverUrl: usualServer, inviteCode: '', username: '', displayName: '' };
type Form = typeof noForm;

interface SignUpOf {
  /** Invite link that another program opened in Kennel. */
  readonly link: string | undefined;
  onBusy(busy: boolean): void;
}

export function SignUp({ link: opened, onBusy }: SignUpOf) {
  const [form, setForm] = useState<Form>({ ...noForm, ...readInviteLink(opened ?? '') });
  const codeSignUp = useAction('setup.signUp');
  const linkSignUp = useAction('links.join');
  const leadsIntoSpace = isLinkSecret(form.inviteCode);
  const signUp = leadsIntoSpace ? linkSignUp : codeSignUp;
  const change = (part: Partial<Form>): void => {
    // An invite link pasted into either field fills both.
    const link = readInviteLink(part.inviteCode ?? part.serverUrl ?? '');
    setForm((old) => ({ ...old, ...part, ...link }));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const displayName = form.displayName.trim();
    onBusy(true);
    const invite = { serverUrl: form.serverUrl.trim(), inviteCode: form.inviteCode.trim() };
    const person = { username: form.username.trim(), ...(displayName === '' ? {} : { displayName }) };
    const result = leadsIntoSpace
      ? await linkSignUp.run({ link: spaceLink(invite), ...person })
      : await codeSignUp.run({ ...invite, ...person });
    onBusy(false);
    if (!result.ok) return;
    openSpaceDialog(null);
    go({ view: 'home' });
  };
  const filled = form.serverUrl.trim() !== '' && form.inviteCode.trim() !== '' && form.username.trim() !== '';
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <SignUpFields form={form} change={change} />
      <ErrorNote error={signUp.error}>
        <p className="note-hint">
          {signUp.error?.code === 'unavailable' ? t('firstRun.checkAddress') : t('firstRun.typedKept')}
        </p>
      </ErrorNote>
      <button type="submit" className="button is-primary is-wide" disabled={!filled || signUp.busy}>
        {signUp.busy ? t('firstRun.connecting') : t('firstRun.connectButton')}
      </button>
    </form>
  );
}

function SignUpFields({ form, change }: { readonly form: Form; change(part: Partial<Form>): void }) {
  return (
    <>
      <Field
        label={t('firstRun.server')}
        type="url"
        spellCheck={false}
        value={form.serverUrl}
        onChange={(event) => change({ serverUrl: event.target.value })}
      />
      <Field
        label={t('firstRun.inviteCode')}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={form.inviteCode}
        onChange={(event) => change({ inviteCode: event.target.value })}
        hint={t('firstRun.inviteHint')}
      />
      <Field
        label={t('firstRun.username')}
        spellCheck={false}
        autoComplete="username"
        value={form.username}
        onChange={(event) => change({ username: event.target.value })}
        hint={t('firstRun.usernameHint')}
      />
      <Field
        label={t('firstRun.displayName')}
        autoComplete="name"
        value={form.displayName}
        onChange={(event) => change({ displayName: event.target.value })}
      />
    </>
  );
}

import { useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

type Pending = MethodOutput<'setup.unfinished'>['signUp'];

/** Offers to resume a sign-up that a crash interrupted; its keys are still stored. */
export function Unfinished() {
  const { link } = useReplica();
  const [pending, setPending] = useState<Pending>(null);
  const resume = useAction('setup.resumeSignUp');
  const drop = useAction('setup.dropSignUp');
  useEffect(() => {
    void link.call('setup.unfinished', {}).then((result) => {
      if (result.ok) setPending(result.value.signUp);
    });
  }, [link]);
  if (pending === null) return null;
  const giveUp = async (): Promise<void> => {
    if (!(await drop.run({})).ok) return;
    setPending(null);
    showNotice(t('firstRun.dropped'));
  };
  const busy = resume.busy || drop.busy;
  return (
    <Note tone="warning">
      <p>
        {t('firstRun.unfinished', {
          username: visibleLine(pending.username),
          server: visibleLine(pending.serverUrl),
          note: visibleLine(localize(pending.note)),
        })}
      </p>
      <p className="button-row">
        <button type="button" className="button is-small" disabled={busy} onClick={() => void giveUp()}>
          {t('firstRun.drop')}
        </button>
        <button
          type="button"
          className="button is-small is-primary"
          disabled={busy}
          onClick={() => void resume.run({})}
        >
          {resume.busy ? t('firstRun.connecting') : t('firstRun.resume')}
        </button>
      </p>
      <ErrorNote error={resume.error ?? drop.error} />
    </Note>
  );
}

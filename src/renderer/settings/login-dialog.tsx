import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { AuthStatus } from '../../contract/work.ts';
import { t } from '../../language/texts.ts';
import type { HostLink } from '../client/link.ts';
import { untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { LeaveLink } from '../markdown/link-gate.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useNow } from '../parts/time.tsx';
import { useReplica } from '../state/subscriptions.ts';

type Start = MethodOutput<'auth.login'>;

interface DialogOf {
  readonly provider: AuthStatus;
  onDone(): void;
  onClose(): void;
}

/** Waits for a login that happens on the provider's own page. */
export function LoginDialog({ provider, onDone, onClose }: DialogOf) {
  const [device, setDevice] = useState(false);
  const { start, error } = useLogin(provider.provider, device, onDone);
  return (
    <Dialog title={t('providers.logInTo', { name: provider.name })} onClose={onClose}>
      <ErrorNote error={error} />
      {start === null && error === null && (
        <p className="soft">{t('providers.asking', { name: provider.name })}</p>
      )}
      {start !== null && error === null && <Steps start={start} />}
      {!device && start?.userCode === '' && (
        <p>
          <button type="button" className="link" onClick={() => setDevice(true)}>
            {t('providers.otherDevice')}
          </button>
        </p>
      )}
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t(error === null ? 'providers.cancel' : 'providers.close')}
        </button>
      </footer>
    </Dialog>
  );
}

/** Polls until the login ends or the dialog is closed. */
async function loginEnd(
  link: HostLink,
  loginId: string,
  left: () => boolean,
): Promise<AppError | 'done' | 'left'> {
  for (;;) {
    const answer = await link.call('auth.wait', { loginId });
    if (left()) return 'left';
    if (!answer.ok) return answer.error;
    if (answer.value.done) return 'done';
  }
}

/** Starts a login when the dialog opens; closing it stops the polling, and the login expires by itself. */
function useLogin(
  provider: string,
  device: boolean,
  onDone: () => void,
): { start: Start | null; error: AppError | null } {
  const { link } = useReplica();
  const [start, setStart] = useState<Start | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one login for each opening of the dialog and each way
  useEffect(() => {
    let left = false;
    setStart(null);
    setError(null);
    const run = async (): Promise<void> => {
      const begun = await link.call('auth.login', { provider, device });
      if (left) return;
      if (!begun.ok) return setError(begun.error);
      setStart(begun.value);
      const end = await loginEnd(link, begun.value.loginId, () => left);
      if (end === 'done') onDone();
      else if (end !== 'left') setError(end);
    };
    void run();
    return () => {
      left = true;
    };
  }, [link, provider, device]);
  return { start, error };
}

function Steps({ start }: { start: Start }) {
  const now = useNow();
  return (
    <>
      {start.userCode !== '' && (
        <div className="device-code">
          <p>{t('providers.typeCode')}</p>
          <p>
            <code>{visibleLine(start.userCode)}</code>
            <CopyButton label={t('providers.copyCode')} text={start.userCode} />
          </p>
        </div>
      )}
      <LeaveLink href={start.url}>{t('providers.openPage')}</LeaveLink>
      <p className="soft" role="status">
        {t('providers.waiting', { when: untilTime(start.expiresAt, now) })}
      </p>
    </>
  );
}

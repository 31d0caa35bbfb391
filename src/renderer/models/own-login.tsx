import { useEffect, useState } from 'react';
import type { AuthStatus } from '../../contract/work.ts';
import { t } from '../../language/texts.ts';
import { LoginDialog } from '../settings/login-dialog.tsx';
import { useReplica } from '../state/subscriptions.ts';
import { providerName } from './providers.ts';

interface OwnLoginOf {
  readonly provider: string;
  onDone(): void;
  /** The operator enters an API key instead. */
  onKey(): void;
}

/**
 * Kennel cannot use another program's login: offers Kennel's own login if the provider allows it, else an API
 * key.
 */
export function OwnLogin({ provider, onDone, onKey }: OwnLoginOf) {
  const { link } = useReplica();
  const [status, setStatus] = useState<AuthStatus | null | 'asking'>('asking');
  const [open, setOpen] = useState(false);
  useEffect(() => {
    void link.call('auth.status', {}).then((result) => {
      const all = result.ok ? result.value.providers : [];
      setStatus(all.find((one) => one.provider === provider && one.kinds.includes('login')) ?? null);
    });
  }, [link, provider]);
  if (status === 'asking') return null;
  const name = providerName(provider);
  if (status === null)
    return (
      <>
        <p className="soft">{t('firstRun.noOwnLogin', { provider: name })}</p>
        <button type="button" className="link" onClick={onKey}>
          {t('firstRun.toKeys')}
        </button>
      </>
    );
  return (
    <>
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {t('firstRun.logInHere', { provider: name })}
      </button>
      {open && (
        <LoginDialog
          provider={status}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

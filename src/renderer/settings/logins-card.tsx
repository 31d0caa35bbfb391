import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { AuthStatus } from '../../contract/work.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { showError, showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { LoginDialog } from './login-dialog.tsx';

/** Credentials of each model provider: an API key, or a login with the provider. */
export function LoginsCard() {
  const { link } = useReplica();
  const [providers, setProviders] = useState<readonly AuthStatus[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [login, setLogin] = useState<AuthStatus | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('auth.status', {});
    if (result.ok) setProviders(result.value.providers);
    setError(result.ok ? null : result.error);
  }, [link]);
  useEffect(() => void load(), [load]);
  const logout = async (provider: AuthStatus): Promise<void> => {
    const result = await link.call('auth.logout', { provider: provider.provider });
    if (!result.ok) return showError(result.error);
    showNotice(
      t('providers.loggedOut', { name: provider.name }),
      'plain',
      localize(result.value.note) || null,
    );
    await load();
  };
  return (
    <section className="card stack" aria-labelledby="logins-title">
      <h2 id="logins-title">{t('providers.logins')}</h2>
      <ErrorNote error={error} />
      <ul className="logins">
        {(providers ?? []).map((provider) => (
          <LoginRow
            key={provider.provider}
            provider={provider}
            onLogin={() => setLogin(provider)}
            onLogout={() => void logout(provider)}
          />
        ))}
      </ul>
      {login !== null && (
        <LoginDialog
          provider={login}
          onDone={() => {
            setLogin(null);
            showNotice(t('providers.loggedIn', { name: login.name }));
            void load();
          }}
          onClose={() => setLogin(null)}
        />
      )}
    </section>
  );
}

const states = {
  none: 'stateNone',
  api_key: 'stateKey',
  environment: 'stateEnvironment',
  logged_in: 'stateLoggedIn',
  expired: 'stateExpired',
} as const satisfies Record<AuthStatus['state'], string>;

const stateWords = ({ state, account }: AuthStatus): string =>
  state === 'logged_in' && account !== ''
    ? t('providers.stateLoggedInAs', { account: visibleLine(account) })
    : t(`providers.${states[state]}`);

interface RowOf {
  readonly provider: AuthStatus;
  onLogin(): void;
  onLogout(): void;
}

function LoginRow({ provider, onLogin, onLogout }: RowOf) {
  const { name, state, kinds } = provider;
  const loggedIn = state === 'logged_in' || state === 'expired';
  return (
    <li>
      <p>
        <strong>{visibleLine(name)}</strong>{' '}
        <span className={state === 'expired' ? 'is-warning' : 'soft'}>{stateWords(provider)}</span>
        {!kinds.includes('login') && state === 'none' && (
          <span className="field-hint"> {t('providers.takesKey')}</span>
        )}
      </p>
      <span className="actions">
        {kinds.includes('login') && state !== 'logged_in' && (
          <button
            type="button"
            className="button is-small"
            aria-label={t('providers.logInTo', { name })}
            onClick={onLogin}
          >
            {t('providers.logIn')}
          </button>
        )}
        {loggedIn && (
          <button
            type="button"
            className="button is-small"
            aria-label={t('providers.logOutOf', { name })}
            onClick={onLogout}
          >
            {t('providers.logOut')}
          </button>
        )}
      </span>
    </li>
  );
}
